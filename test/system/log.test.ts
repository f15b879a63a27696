// Databases: sqlite
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { format, inspect } from 'node:util';
import fc from 'fast-check';
import { newWebhookSecret } from '../../src/webhooks/secrets.ts';
import { generateToken } from '../../src/auth/tokens.ts';
import { createClientTokens } from '../../src/payments/links/client-token.ts';
import { createLog, describeError, type Log } from '../../src/system/log.ts';
import { randomId, systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createTestDatabase } from '../support/databases.ts';
import { findCard } from '../support/card-search.ts';
import { freePort } from '../support/ports.ts';
import { cards } from '../support/requests.ts';

const { bytes } = systemRandom;
const randomText = (length: number) => Buffer.from(bytes(length)).toString('base64url');

/** A secret: its spellings, and the part that must not appear in a log. */
interface Planted {
  text: string;
  /** Detects the secret, independently of the masking code. */
  isIn: (log: string) => boolean;
}

const whole = (text: string, secret = text): Planted => ({ text, isIn: (log) => log.includes(secret) });
const card = (text: string, number: string = cards.amex): Planted => ({
  text,
  isIn: (log) => findCard(log, { number, cvv: '0000' }).length > 0,
});

const password = 'hunter2-tea';
const key = Buffer.from(bytes(32));
const pageToken = createClientTokens(key).issue({ merchantId: 1, transactionId: 2 }, 1_700_000_000_000_000);
const clientSecret = `pl_secret_${randomText(32)}`;
const linkId = randomId(systemRandom);

/** Secrets recognized by their pattern, in any field. */
const byForm: Record<string, Planted> = {
  'a card number': card(cards.amex),
  'a card number within other digits': card(`000${cards.amex}000`),
  'a card number with spaces': card('3782 822463 10005'),
  'a card number with hyphens': card('3782-822463-10005'),
  'a card number with dots between all digits': card([...cards.amex].join('.')),
  'a card number as a list in JSON': card(JSON.stringify([...cards.amex])),
  'a card number in a URL': card(`card=${[...cards.amex].join('%20')}`),
  'a card number with entities': card('3782&nbsp;822463&#32;10005'),
  'a card number with escapes': card(String.raw`3782\u00a0822463\n10005`),
  'a card number with spaces of every kind': card('3782\u00a0822463\u200910005'),
  'a card number in base64': card(Buffer.from(`{"card_number":"${cards.amex}"}`).toString('base64')),
  'a card number in base64url, one byte further': card(Buffer.from(`.{"n":"${cards.amex}"}`).toString('base64url')),
  'a card number in hexadecimal digits': card(Buffer.from(cards.amex).toString('hex')),
  'an access token of the sandbox': whole(generateToken('sandbox', systemRandom)),
  'an access token of production': whole(generateToken('production', systemRandom)),
  'a page’s token': whole(pageToken, pageToken.slice('pl_page_'.length)),
  'a client’s secret': whole(clientSecret, clientSecret.slice('pl_secret_'.length)),
  'a callback secret': ((secret) => whole(secret, secret.slice('whsec_'.length)))(newWebhookSecret(systemRandom)),
  'the header of another service': ((token) => whole(`Authorization: Bearer ${token}`, token))(randomText(24)),
  'a basic header': ((secret) => whole(`authorization: Basic ${secret}`, secret))(
    Buffer.from(`client:${password}`).toString('base64'),
  ),
  'a password in a database’s address': whole(`connect to postgres://paylatch:${password}@db/paylatch`, password),
  'a password that should have been escaped': whole('postgres://paylatch:tea@hunter2/leaf@db/paylatch', 'hunter2'),
  'a password in a web address': whole(`GET https://kettle:${password}@shop.example/callbacks`, password),
  'a password in a connection string': whole(`host=db user=paylatch password=${password} dbname=x`, password),
  'a token in a query': whole(`/callbacks?access_token=${password}&page=2`, password),
  'a security code in a form': whole('card_expiry=04&card_cvv=8317', '8317'),
  'a security code in JSON': whole('{"cvv":"8317"}', '8317'),
  'a security code in JSON within JSON': whole(JSON.stringify(JSON.stringify({ card_cvv: '8317' })), '8317'),
  'the service’s key': whole(key.toString('hex')),
  'a seed in hexadecimal digits': whole(Buffer.from(bytes(64)).toString('hex')),
  'an extended private key': whole(
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  ),
  'a link': whole(`https://pay.example/p/${linkId}?locale=de`, linkId),
  'a link of an invoice': whole(`https://pay.example/i/${linkId}/state`, linkId),
  'a link of an invoice without its host': whole(`/i/${linkId}`, linkId),
};

/** Secrets recognized by their field name. */
const byField: Record<string, unknown> = {
  card_number: '4',
  cardNumber: '4',
  card: { number: '4' },
  CVV: 8317,
  card_cvv: '8317',
  securityCode: 8317,
  card_expiry: '04 / 30',
  authorization: 'none',
  Cookie: 'a=b',
  token: 'none',
  newAccessToken: ['none'],
  client_secret: 'none',
  callbackSecret: null,
  password: 'none',
  PAYLATCH_SECRET_KEY: 'none',
};

/** A log with its output. */
function openLog(): { log: Log; written: () => string } {
  let written = '';
  const log = createLog('trace', { write: (line: string) => (written += line) });
  return { log, written: () => written };
}

class Detailed extends Error {
  readonly said: string;
  constructor(said: string) {
    super('no answer');
    this.said = said;
  }
}

const deep = (value: unknown) => ({ one: { two: [{ three: { four: { five: value } } }] } });

/** All ways to log a text. */
const ways: Record<string, (log: Log, text: string) => void> = {
  'as the message': (log, text) => log.info(text),
  'within the message': (log, text) => log.warn(`it said ${text}, and ended`),
  'as an argument of the message': (log, text) => log.info({ a: 1 }, 'it said %s', text),
  'as JSON in the message': (log, text) => log.info('it said %j', { text }),
  'as an object in the message': (log, text) => log.info('it said %o', { text }),
  'formatted before': (log, text) => log.info(format('it said %O', deep(text))),
  inspected: (log, text) => log.info(inspect({ text })),
  'in a field': (log, text) => log.info({ note: text }, 'planted'),
  'deep in a field': (log, text) => log.info(deep(text), 'planted'),
  'as the name of a field': (log, text) => log.info({ [text]: 1 }),
  'deep as the name of a field': (log, text) => log.info(deep({ [text]: true })),
  'in a list': (log, text) => log.info({ notes: ['a', text, 1] }),
  'as JSON in a field': (log, text) => log.info({ body: JSON.stringify({ text }) }),
  'as JSON of JSON': (log, text) => log.info({ body: JSON.stringify(JSON.stringify({ text })) }),
  'in an error': (log, text) => log.error({ error: describeError(new Error(text)) }, 'failed'),
  'in the cause of an error': (log, text) =>
    log.error({ error: describeError(new Error('failed', { cause: new Error('why', { cause: text }) })) }, 'failed'),
  'in one of several errors': (log, text) =>
    log.error({ error: describeError(new AggregateError([new Error('a'), new TypeError(text)])) }, 'failed'),
  'in the name of an error': (log, text) =>
    log.error({ error: describeError(Object.assign(new Error('a'), { name: text, code: text })) }, 'failed'),
  'in an error as it is': (log, text) => log.error(new Error(text)),
  'in an error as it is with its own fields': (log, text) => log.error({ err: new Detailed(text) }, 'failed'),
  'by toJSON': (log, text) => log.info({ value: { toJSON: () => ({ text }) } }),
  'for everything that a part logs': (log, text) => log.child({ part: text }).info('planted'),
  'before every message of a part': (log, text) => log.child({}, { msgPrefix: `${text} ` }).info('planted'),
  'as a Buffer': (log, text) => log.info({ body: Buffer.from(text) }),
  fatally: (log, text) => log.fatal({ note: text }, text),
};

describe('secrets are masked in the log', () => {
  for (const [what, { text, isIn }] of Object.entries(byForm)) {
    test(`by pattern: ${what}`, () => {
      assert.ok(isIn(text), 'the search does not find it in its place');
      for (const [how, say] of Object.entries(ways)) {
        const { log, written } = openLog();
        say(log, text);
        assert.ok(written().endsWith('}\n'), how);
        for (const line of written().trim().split('\n')) assert.doesNotThrow(() => JSON.parse(line), how);
        assert.ok(!isIn(written()), `${how}: ${written()}`);
      }
    });
  }

  for (const [name, value] of Object.entries(byField)) {
    test(`by field: ${name}`, () => {
      const { log, written } = openLog();
      log.info({ [name]: value, kept: 'this' });
      log.info({ ...deep({ [name]: value }), kept: 'this' });
      log.child({ [name]: value }).info({ kept: 'this' });
      const lines = written().trim().split('\n');
      assert.equal(lines.length, 3);
      for (const line of lines) {
        assert.ok(line.includes(`"${name}":"[redacted]"`), line);
        assert.match(line, /"kept":"this"/);
      }
    });
  }

  test('a card number as a number, as a list of digits, as half a list', () => {
    for (const value of [
      Number(cards.visa),
      [...cards.visa],
      [...cards.visa].map(Number),
      cards.visa.match(/.{4}/g),
      ['4242', 42424242, '4242'],
    ]) {
      const { log, written } = openLog();
      log.info({ value });
      log.info(deep(value));
      assert.deepEqual(findCard(written(), { number: cards.visa, cvv: '0000' }), [], written());
    }
  });

  test('any card number, in any common spelling, anywhere in a text', () => {
    const separators = [
      '',
      ' ',
      '-',
      '.',
      '/',
      '_',
      '+',
      '  ',
      ' - ',
      '\u00a0',
      '\u2009',
      '\u2011',
      '\u2013',
      '\n',
      '\t',
      ', ',
      '","',
      "', '",
      '%20',
      '&nbsp;',
      String.raw`\u00a0`,
      String.raw`\n`,
      ' | ',
    ];
    const number = fc
      .array(fc.nat({ max: 9 }), { minLength: 11, maxLength: 18 })
      .map((digits) => withCheckDigit(digits.join('')));
    const spelling = fc.record({
      number,
      separator: fc.constantFrom(...separators),
      every: fc.constantFrom(1, 2, 3, 4, 6),
      before: fc.constantFrom('', 'card ', '"', 'a', '(', 'n=', 'Nr. ', '\u200f'),
      after: fc.constantFrom('', ' declined', '"', 'z', ')', '&cvv', '\n'),
      way: fc.constantFrom(...Object.values(ways)),
    });
    fc.assert(
      fc.property(spelling, ({ number, separator, every, before, after, way }) => {
        const spelled = number.replaceAll(new RegExp(`(\\d{${every}})(?=\\d)`, 'g'), (group) => group + separator);
        const text = before + spelled + after;
        const sought = { number, cvv: '0000' };
        assert.ok(findCard(text, sought).length > 0, 'the search does not find it in its place');
        const { log, written } = openLog();
        way(log, text);
        assert.deepEqual(findCard(written(), sought), [], `${text}: ${written()}`);
      }),
      { numRuns: 2000 },
    );
  });

  test('other values stay unchanged', () => {
    const { log, written } = openLog();
    const kept = {
      requestId: 'req_AbCdEfGh1jKlMnOp',
      method: 'POST',
      route: '/p/:linkId/method',
      status: 200,
      durationMs: 12,
      transaction: 123_456,
      provider: 'sandbox',
      publicUrl: 'http://localhost:8080',
      at: '2026-11-21T09:00:00.008317Z',
      said: 'at 2026-11-21 09:00:00.123 UTC, 192.0.2.1:443, [2001:db8::1]',
      first6: '424242',
      last4: '4242',
      limit: 'token',
      tokenId: 7,
      empty: null,
      list: [1, 2, 3],
      contract: 'has no usdt with 6 decimals at 0x7e00000000000000000000000000000000000001: is it on local?',
    };
    log.info(kept, 'request');
    const { level: _level, time: _time, ...line } = JSON.parse(written()) as Record<string, unknown>;
    assert.deepEqual(line, { ...kept, msg: 'request' });
    const { log: other, written: otherWritten } = openLog();
    other.error({ error: describeError(new TypeError('no such thing')) }, 'failed');
    assert.match(otherWritten(), /"name":"TypeError","message":"no such thing","stack":"TypeError: no such thing\\n/);
    assert.match(otherWritten(), /log\.test\.ts:\d+:\d+/);
  });
});

/** ISO/IEC 7812-1, annex B, implemented independently. */
function withCheckDigit(payload: string): string {
  const sum = [...payload]
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0);
  return `${payload}${(10 - (sum % 10)) % 10}`;
}

describe('secrets are masked in the output of a process', () => {
  const program = join(packageRoot(), 'scripts', 'paylatch.mjs');

  /** Runs the program and returns its output. */
  const run = async (args: readonly string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, DEMO_SHOP: 'off', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, printed };
  };

  test('after an uncaught error or rejection', async () => {
    const database = await createTestDatabase();
    const secrets = [cards.visa, generateToken('sandbox', systemRandom), `postgres://a:${password}@db/x`];
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-fault-'));
    const plant = join(folder, 'fault.mjs');
    const said = `new Error(${JSON.stringify(secrets.join(' and '))}, { cause: ${JSON.stringify(secrets)} })`;
    try {
      for (const fault of [
        `throw ${said}`,
        `Promise.reject(${said})`,
        `Promise.reject(${JSON.stringify(secrets.join(' '))})`,
        `process.stderr.write(Buffer.from(${JSON.stringify(secrets.join(' '))})); process.exit(1)`,
      ]) {
        // It crashes after it is ready, like a running service.
        writeFileSync(
          plant,
          `const { write } = process.stdout;
          process.stdout.write = function (text, ...rest) {
            if (String(text).includes('accepts requests')) setTimeout(() => { ${fault} });
            return write.call(this, text, ...rest);
          };`,
        );
        const { code, printed } = await run(['start'], {
          DATABASE_URL: database.url,
          PORT: String(await freePort()),
          NODE_OPTIONS: `--import=${plant}`,
        });
        assert.equal(code, 1);
        assert.match(printed, /\[number\] (and )?pl_test_\[redacted\]/);
        for (const secret of [cards.visa, secrets[1] ?? '', password]) assert.ok(!printed.includes(secret), printed);
      }
    } finally {
      rmSync(folder, { recursive: true });
      await database.drop();
    }
  });

  test('after a wrong database URL, in every command', async () => {
    const addresses = [
      `postgres://paylatch:${password}@127.0.0.1:1/paylatch`,
      `postgres://paylatch:${password}@no-such-host.invalid/paylatch`,
      `postgres://paylatch:${password}@[::1/paylatch`,
      `postgres://paylatch:${password}%zz@127.0.0.1:1/paylatch`,
      `postgres://paylatch:${password}@127.0.0.1:port/paylatch`,
      `postgres://127.0.0.1:1/paylatch?user=paylatch&password=${password}&sslmode=verify-full`,
      `mysql://paylatch:${password}@127.0.0.1/paylatch`,
      `paylatch:${password}`,
    ];
    const commands = [['start'], ['token', 'create', '--merchant', '1']];
    const calls = [
      ...addresses.map((address) => ({ args: ['migrate'], address })),
      ...commands.map((args) => ({ args, address: addresses[0] ?? '' })),
    ];
    await Promise.all(
      calls.map(async ({ args, address }) => {
        const { code, printed } = await run(args, { DATABASE_URL: address, PORT: String(await freePort()) });
        assert.notEqual(code, 0, address);
        assert.ok(printed.length > 0, address);
        assert.ok(!printed.includes(password), `${address}: ${printed}`);
      }),
    );
  });
});
