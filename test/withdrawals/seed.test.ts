import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createService } from '../../src/app.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { loadSeed, parseSeed } from '../../src/withdrawals/seed.ts';
import { loadPages } from '../../src/startup/pages.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open.ts';
import { createLog } from '../../src/system/log.ts';
import { packageRoot } from '../../src/system/root.ts';
import { createMigratedDatabase, type TestDatabase, onSqlite } from '../support/databases.ts';
import { dumpRows } from '../support/rows.ts';

/** Example from BIP 39. */
const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const SEED =
  '878386efb78845b3355bd15ea4d39ef97d179cb712b77d5c12b6be415fffeffe5f377ba02bf3f8544ab800b955e51fbff09828f682052a20faa6addbbddfb096';

const program = join(packageRoot(), 'dist', 'server', 'cli.js');

async function run(args: readonly string[], env: Record<string, string>, input = '') {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'], ...env } });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: code as number, said };
}

describe('the seed', () => {
  let store: TestDatabase;
  let env: Record<string, string>;
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  before(async () => {
    store = await createMigratedDatabase();
    const bytes = await parseSeed(SEED);
    env = {
      DATABASE_URL: store.url,
      CHAIN_BTC_URL: 'http://127.0.0.1:1',
      CHAIN_BTC_NETWORK: 'regtest',
      CHAIN_BTC_ACCOUNT_KEY: (await deriveAccount(bytes, 'bitcoin', { isTest: true })).publicKey,
      CHAIN_ETH_URL: 'http://127.0.0.1:1',
      CHAIN_ETH_NETWORK: '31337',
      CHAIN_ETH_ACCOUNT_KEY: (await deriveAccount(bytes, 'ethereum', { isTest: true })).publicKey,
    };
  });
  after(async () => await store.drop());

  const loadStored = async (sealingKeys: readonly string[]) => {
    const database = openDatabase(store.url, () => undefined);
    try {
      const seed = await loadSeed(database, { seedFile: null, sealingKeys });
      return seed && Buffer.from(seed).toString('hex');
    } finally {
      await database.close();
    }
  };

  onSqlite('is parsed from a mnemonic or hexadecimal digits only', async () => {
    assert.equal(Buffer.from(await parseSeed(`  ${WORDS.toUpperCase()}\n`)).toString('hex'), SEED);
    assert.equal(Buffer.from(await parseSeed(`0x${SEED}\n`)).toString('hex'), SEED);
    const wrong = [WORDS.replace('yellow', 'year'), WORDS.replace('legal ', ''), 'ab', `${SEED}ab`, ''];
    for (const text of wrong) {
      await assert.rejects(parseSeed(text), (error: Error) => {
        assert.match(error.message, /The seed is invalid/);
        assert.ok(!error.message.includes('sausage'));
        return true;
      });
    }
  });

  test('is stored sealed, and resealed with another key by one command', async () => {
    const without = await run(['seed', 'set'], env, WORDS);
    assert.deepEqual([without.code, without.said.includes('SEALING_KEY')], [1, true]);
    assert.equal((await run(['seed', 'set'], { ...env, SEALING_KEY: first }, WORDS)).code, 0);
    assert.equal(await loadStored([first]), SEED);
    await assert.rejects(loadStored([second]), /sealed with key [\da-f]{8}, which SEALING_KEY does not contain/);

    const lacking = await run(['seed', 'reseal'], { ...env, SEALING_KEY: second });
    assert.deepEqual([lacking.code, /SEALING_KEY does not contain/.test(lacking.said)], [1, true]);
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-test-'));
    try {
      const file = join(folder, 'keys');
      writeFileSync(file, `${second}\n${first}\n`);
      const resealed = await run(['seed', 'reseal', '--output', 'json'], { ...env, SEALING_KEY_FILE: file });
      assert.equal(resealed.code, 0, resealed.said);
    } finally {
      rmSync(folder, { recursive: true });
    }
    assert.equal(await loadStored([second]), SEED);
    await assert.rejects(loadStored([first]), /SEALING_KEY does not contain/);
  });

  onSqlite('of another account is refused without revealing it', async () => {
    const other = randomBytes(64).toString('hex');
    const { code, said } = await run(['seed', 'set'], { ...env, SEALING_KEY: second }, other);
    assert.equal(code, 1);
    assert.match(said, /does not match CHAIN_BTC_ACCOUNT_KEY: its account m\/84'\/1'\/0' is tpub/);
    assert.equal(await loadStored([second]), SEED);
  });

  test('appears in no row, log or error', async () => {
    const lines: string[] = [];
    const log = createLog('trace', { write: (line: string) => lines.push(line) });
    const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
    const config = readConfig({ ...env, PUBLIC_URL: 'http://localhost:1', SEALING_KEY: second });
    const service = await createService({ config, log, pages });
    const { privateKey } = await deriveAccount(Buffer.from(SEED, 'hex'), 'bitcoin', { isTest: true });
    try {
      const spender = await service.invoices.context.chains.forCurrency('btc')?.spender();
      assert.equal(spender?.canSign, true);
      await service.jobs.drain();
      const rows = Object.values(await dumpRows(service.database)).flat();
      assert.ok(lines.length > 0);
      for (const secret of [SEED, 'sausage', privateKey, second]) {
        assert.ok(!lines.some((line) => line.includes(secret)));
        assert.ok(!rows.some((row) => row.includes(secret)));
      }
      assert.ok(rows.some((row) => row.includes('sealed1.')));
    } finally {
      await service.close();
    }
    const withoutKey = readConfig({ ...env, PUBLIC_URL: 'http://localhost:1' });
    await assert.rejects(createService({ config: withoutKey, log, pages }), /which SEALING_KEY does not contain/);
    const { code, said } = await run(['seed', 'remove'], env);
    assert.equal(code, 0, said);
    assert.equal(await loadStored([]), null);
  });
});
