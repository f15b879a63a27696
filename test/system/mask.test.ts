// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  maskCardNumbers,
  maskDigits,
  maskEmail,
  maskResponseBody,
  maskSecrets,
  maskWords,
  redact,
} from '../../src/system/mask.ts';

const VISA = '4242424242424242';
const AMEX = '378282246310005';
const key = 'ab12'.repeat(16);
const link = 'abcdefghijklmnopqrstuvwxyz_';
const address = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('card numbers', () => {
  test('are masked with any single separator between digits', () => {
    for (const separator of ['', ' ', '-', '.', '_', '/', '+', '\u00a0', '\n'])
      assert.equal(maskCardNumbers(`card ${[...VISA].join(separator)}, ok`), 'card [number], ok', separator);
    assert.equal(maskCardNumbers('123456789012'), '[number]');
    assert.equal(maskCardNumbers('12345678901'), '12345678901');
    assert.equal(maskCardNumbers(`00${VISA}00000000`), '[number]');
  });

  test('are masked with escapes, entities, quotes or commas between digits, if their check digit is valid', () => {
    const between = [', ', '","', ' - ', '%20', '%2F', '&nbsp;', '&#32;', '&#x2d;', String.raw`\u00a0`, String.raw`\n`];
    for (const separator of [...between, String.raw`\\n`, String.raw`\\u2009`, '\u2009\u2009', '%20%20%20'])
      for (const number of [VISA, AMEX, '4222222222222', '6304000000000000000'.slice(0, 12)])
        if (isValid(number))
          assert.equal(maskCardNumbers(`n=${[...number].join(separator)};`), 'n=[number];', separator);
    const groups = (text: string, separator: string) => text.match(/.{1,4}/g)?.join(separator) ?? '';
    assert.equal(maskCardNumbers(groups(VISA, ' | ')), '[number]');
    // With other groups of digits before and after.
    assert.equal(maskCardNumbers(`7, ${groups(VISA, ', ')}, 9`), '[number]');
    assert.equal(maskCardNumbers('1111, 1111, 1111, 1'), '1111, 1111, 1111, 1');
    assert.equal(maskCardNumbers('1234, 567890123'), '1234, 567890123');
  });

  test('are masked with bare percent signs, ampersands and backslashes between digits', () => {
    for (const separator of ['%', '&', '\\', '\\\\', '%%%'])
      assert.equal(maskCardNumbers([...VISA].join(separator)), '[number]', separator);
    assert.equal(maskCardNumbers(VISA.match(/../g)?.join('%') ?? ''), '[number]');
  });

  test('are searched in linear time, however many ways there are to read the separators', () => {
    for (const separator of [String.raw`\\\\n`, '%11', String.raw`\\\\u0031`, '&a;', '&#1;'])
      for (const digits of [2, 11, 40, 4000]) {
        const text = Array.from({ length: digits }, () => '1').join(separator.repeat(3));
        // In exponential time it would take years.
        runInNewContext('maskCardNumbers(text)', { maskCardNumbers, text }, { timeout: 20_000 });
      }
  });

  test('have 12 to 19 digits and a check digit', () => {
    for (const length of [12, 13, 16, 19]) {
      const number = withCheckDigit('6'.repeat(length - 1));
      const spaced = number.match(/.{1,3}/g)?.join(', ') ?? '';
      assert.equal(maskCardNumbers(spaced), '[number]', number);
      const last = Number(number.at(-1));
      const wrong = `${number.slice(0, -1)}${(last + 1) % 10}`;
      if (length < 13) assert.notEqual(maskCardNumbers(wrong.match(/.{1,3}/g)?.join(', ') ?? ''), '[number]', wrong);
    }
  });

  test('are masked everywhere in a text', () => {
    const spaced = [...VISA].join(', ');
    assert.equal(maskCardNumbers(`a: ${spaced}; b: ${spaced}.`), 'a: [number]; b: [number].');
  });

  test('are not detected in other numbers', () => {
    // Valid check digits with 11 and 20 digits, which are not card lengths.
    for (const text of [withCheckDigit('6666666666'), withCheckDigit('1234567890123456789')])
      assert.equal(maskCardNumbers(text.match(/.{1,11}/g)?.join(', ') ?? ''), text.match(/.{1,11}/g)?.join(', '));
    for (const text of ['2026-11-21T09:00:00.123456Z', 'a1b2c3d4e5f6a7b8c9d0e1f2', '12:34:56:78:90:12:34', 'no digits'])
      assert.equal(maskCardNumbers(text), text);
  });

  test('and all other digits are masked in texts written while card data was in memory', () => {
    assert.equal(maskDigits('cvv 831, 42 42'), 'cvv #, # #');
  });
});

test('names and email addresses keep the first character of each word, and the domain', () => {
  assert.equal(maskWords('Ada Lovelace\tÉlan'), 'A••• L•••\tÉ•••');
  assert.equal(maskWords('\u{1f600}x y'), '\u{1f600}••• y•••');
  assert.equal(maskWords(''), '');
  assert.equal(maskEmail('ana@shop.example'), 'a•••@shop.example');
  assert.equal(maskEmail('"a@b c"@shop.example'), '"••• c•••@shop.example');
});

describe('secrets', () => {
  const cases: [string, string][] = [
    ['Bearer abcd', 'Bearer [redacted]'],
    ['bearer%20ab.c_d~+/=-', 'bearer [redacted]'],
    ['basic+QWxhZGRpbg==', 'basic [redacted]'],
    ['Digest  xxxx', 'Digest [redacted]'],
    ['bearer of it', 'bearer of it'],
    ['forbearer abcdef', 'forbearer abcdef'],
    ['pl_live_a-b.c', 'pl_live_[redacted]'],
    ['pl_test_abc_1', 'pl_test_[redacted]'],
    ['pl_page_1.2.3', 'pl_page_[redacted]'],
    ['pl_secret_ab', 'pl_secret_[redacted]'],
    ['pl_client_ab', 'pl_client_ab'],
    ['whsec_aB+/=-_9 x', 'whsec_[redacted] x'],
    ['whsk_abc', 'whsk_[redacted]'],
    ['whpk_abc', 'whpk_abc'],
    ['postgres://paylatch:a@b/c@db/x', 'postgres://paylatch:[redacted]@db/x'],
    ['postgresql://:pw@db', 'postgresql://:[redacted]@db'],
    ['POSTGRES://me:a@b@db', 'POSTGRES://me:[redacted]@db'],
    ['https://me:pw@shop.example/a', 'https://me:[redacted]@shop.example/a'],
    ['https://:pw@shop.example', 'https://:[redacted]@shop.example'],
    ['https://shop.example:8080/a@b', 'https://shop.example:8080/a@b'],
    ['https://me@shop.example/', 'https://me@shop.example/'],
    [`/p/${link}`, '/p/[link]'],
    [`/p/k7-${link}`, '/p/[link]'],
    [`/p/9-${link}`, `/p/9-${link}`],
    [`/e/${link}?locale=de`, '/e/[link]?locale=de'],
    [`/i/${link}/state`, '/i/[link]/state'],
    [`/sandbox/issuer/${link}`, '/sandbox/issuer/[link]'],
    [`/x/${link}`, `/x/${link}`],
    [`/p/${link}a`, `/p/${link}a`],
    [`/p/${link.slice(1)}`, `/p/${link.slice(1)}`],
    [`key ${key}`, 'key [key]'],
    [`${key}${key}`, '[key]'],
    [key.toUpperCase(), '[key]'],
    [`${key}ab`, `${key}ab`],
    [key.slice(1), key.slice(1)],
    [`xprv${'9s21ZrQH14'.repeat(5)}`, '[key]'],
    [`zprv${'9s21ZrQH14'.repeat(4)}`, '[key]'],
    [`xprv${'9s21ZrQH14'.repeat(3)}`, `xprv${'9s21ZrQH14'.repeat(3)}`],
    [`xpub${'9s21ZrQH14'.repeat(5)}`, `xpub${'9s21ZrQH14'.repeat(5)}`],
    ['password=hunter2 x', 'password=[redacted] x'],
    ['password: hunter2', 'password: [redacted]'],
    ['"password":"hunter2"', '"password":"[redacted]"'],
    [String.raw`\"cvv\":\"831\"`, String.raw`\"cvv\":\"[redacted]\"`],
    ['access_token%3Dabc&page=2', 'access_token%3D[redacted]&page=2'],
    ['{apiKey: abc}', '{apiKey: [redacted]}'],
    ['the scope token:manage is missing', 'the scope token:manage is missing'],
    ['token:managed', 'token:[redacted]'],
    ['password', 'password'],
    ['nothing here', 'nothing here'],
  ];
  for (const [text, expected] of cases) test(text, () => assert.equal(maskSecrets(text), expected));

  test('are masked by the name before them, in any spelling', () => {
    const names = [
      ...['card_number', 'cardNumber', 'card-cvv', 'cardcode', 'card_expiry', 'card_expiry_month', 'cardExpiryYear'],
      ...['cvv', 'cvv2', 'cvc', 'cvc2', 'csc', 'security_code', 'securityCode', 'authorization', 'Cookie', 'token'],
      ...['secret', 'secret_key', 'secretKey', 'private-key', 'privateKey', 'api_key', 'apikey', 'password'],
      ...['passphrase', 'passwd', 'pwd', 'newAccessToken', 'PAYLATCH_SECRET_KEY'],
    ];
    for (const name of names) {
      assert.equal(maskSecrets(`${name}=tea`), `${name}=[redacted]`, name);
      assert.deepEqual(redact({ [name]: 'tea' }), { [name]: '[redacted]' }, name);
    }
  });

  test('masking is idempotent', () => {
    for (const [text] of cases) assert.equal(maskSecrets(maskSecrets(text)), maskSecrets(text), text);
  });

  test('card numbers in base64 and hexadecimal are masked', () => {
    for (const before of ['', '.', '..'])
      assert.match(maskSecrets(Buffer.from(`${before}${VISA}`).toString('base64')), /\[number\]/, before);
    assert.equal(maskSecrets(`n ${Buffer.from(VISA).toString('base64')} m`), 'n [number] m');
    assert.equal(maskSecrets(`n ${Buffer.from(VISA).toString('hex')}`), 'n [number]');
    assert.equal(maskSecrets(Buffer.from([...AMEX].join(' ')).toString('hex')), '[number]');
    assert.equal(
      maskSecrets(Buffer.from('plain text').toString('base64')),
      Buffer.from('plain text').toString('base64'),
    );
  });

  test('an Ethereum address stays, secrets next to it are masked', () => {
    assert.equal(maskSecrets(`to ${address} by Bearer abcd, ${VISA}`), `to ${address} by Bearer [redacted], [number]`);
    assert.equal(maskSecrets(`${address} and ${address.toLowerCase()}`), `${address} and ${address.toLowerCase()}`);
    // Placeholder characters in the input must not reveal anything.
    assert.equal(maskSecrets(`\uE000 ${VISA}`), '\uE000 [number]');
    assert.ok(!maskSecrets(`\uE000 0x${'12345678'.repeat(5)}`).includes('12345678'.repeat(2)));
    assert.ok(!maskSecrets(`0x${'12345678'.repeat(5)} `.repeat(1001)).includes('12345678'.repeat(2)));
    assert.ok(maskSecrets(`0x${'12345678'.repeat(5)} `.repeat(1000)).includes('12345678'.repeat(2)));
  });
});

describe('a response of a merchant’s server', () => {
  test('keeps its text, but no digits if there are as many as in a card number', () => {
    assert.equal(maskResponseBody('order 12345 taken'), 'order 12345 taken');
    assert.equal(maskResponseBody('1a2b3c4d5e6f7g8h9i0j1k'), '1a2b3c4d5e6f7g8h9i0j1k');
    assert.equal(maskResponseBody('1a2b3c4d5e6f7g8h9i0j1k2'), '#a#b#c#d#e#f#g#h#i#j#k#');
    assert.equal(maskResponseBody([...'٤٢٤٢٤٢٤٢٤٢٤٢'].join('<b>')), [...'############'].join('<b>'));
    assert.equal(maskResponseBody('token=abc'), 'token=[redacted]');
  });

  test('keeps no base64 of a card number, at any alignment', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const result = maskResponseBody(
        `${before}${Buffer.from([...VISA].join('xyz'))
          .toString('base64')
          .replace(/=+$/, '')}`,
      );
      assert.equal(result, '[number]', before);
    }
    // The fewest digits of a card number.
    const short = Buffer.from([...'123456789012'].join('xyz'))
      .toString('base64')
      .replace(/=+$/, '');
    assert.equal(maskResponseBody(short), '[number]');
    const harmless = Buffer.from('nothing to see here, 1234').toString('base64').replace(/=+$/, '');
    assert.equal(maskResponseBody(harmless), harmless);
  });
});

describe('a value as JSON', () => {
  test('is masked by field names and patterns', () => {
    assert.deepEqual(redact({ a: [1, 'Bearer abcd', null], b: { card: { number: 1 } }, c: true, d: undefined }), {
      ...{ a: [1, 'Bearer [redacted]', null], b: { card: '[redacted]' }, c: true, d: undefined },
    });
    for (const name of ['card', 'PAN', 'pin', 'track1', 'track2', 'expiry_month', 'expiryYear', 'expiry-year'])
      assert.deepEqual(redact({ [name]: 1 }), { [name]: '[redacted]' }, name);
    for (const name of ['discard', 'panel', 'spin', 'tokens', 'cvvs', 'secretary'])
      assert.deepEqual(redact({ [name]: 1 }), { [name]: 1 }, name);
    // Again, with cached names.
    assert.deepEqual(redact({ card: 1, panel: 2, [VISA]: 3 }), { card: '[redacted]', panel: 2, '[number]': 3 });
    assert.deepEqual(redact({ type: 'Buffer', data: [1, 2] }), '[bytes]');
    assert.deepEqual(redact({ type: 'Buffer' }), { type: 'Buffer' });
    assert.deepEqual(redact({ type: 'buffer', data: [1] }), { type: 'buffer', data: [1] });
    assert.equal(redact(null), null);
  });

  test('masks numbers and lists of digits that may be a card number', () => {
    assert.equal(redact(Number(VISA)), '[number]');
    assert.equal(redact(-Number(VISA)), '[number]');
    assert.equal(redact(123_456_789_012), '[number]');
    assert.equal(redact(100_000_000_000), '[number]');
    assert.equal(redact(99_999_999_999), 99_999_999_999);
    assert.equal(redact(1e300), 1e300);
    assert.equal(redact([...VISA].map(Number)), '[number]');
    assert.equal(redact(VISA.match(/.{4}/g)), '[number]');
    assert.deepEqual(redact([VISA]), ['[number]']);
    assert.deepEqual(redact([424_242, '42', true, { a: '4242424242' }]), [424_242, '42', true, { a: '4242424242' }]);
    assert.deepEqual(redact([1, 2, 3]), [1, 2, 3]);
    assert.deepEqual(redact([424_242, 424_243]), [424_242, 424_243]);
    assert.deepEqual(redact([{ order: 1 }, VISA]), [{ order: 1 }, '[number]']);
    assert.deepEqual(redact([]), []);
  });
});

/** Luhn, implemented independently. */
function isValid(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce(
    (all, digit, index) => all + (index % 2 === 0 ? digit : ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] ?? 0)),
    0,
  );
  return sum % 10 === 0;
}

function withCheckDigit(digits: string): string {
  const check = [...'0123456789'].find((digit) => isValid(digits + digit));
  return digits + check;
}
