import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { createBase58check, base64 } from '@scure/base';
import { HARDENED_OFFSET, HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { sha256 } from '@scure/btc-signer/utils.js';
import { accountDescriptor, parseOrigin } from '../../src/chains/bitcoin/account-key.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { SimulatedClock } from '../support/clock.ts';
import { connectChains } from '../../src/chains/connect.ts';
import { readConfig } from '../../src/config.ts';
import { createMigratedDatabase } from '../support/databases.ts';
import { clockOfBlock, nodeInvoicesOf } from '../support/node-invoices.ts';
import { type Regtest, startRegtest } from '../support/regtest.ts';
import { bitcoinAddress } from '../support/simulated-chains.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { MINUTE } from '../../src/shared/time.ts';

const [tpub, vpub] = bitcoinChain.networks.regtest.extendedKeys;
const coder = createBase58check(sha256);

/** The same key in the notation of BIP 84. */
function asVpub(key: string): string {
  const bytes = coder.decode(key);
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, vpub.public);
  return coder.encode(bytes);
}

/**
 * Signs as hardware wallets and Bitcoin Core's descriptor wallets do: only inputs whose derivation names its own master
 * key and a full path to the key (BIP 174).
 */
function signAsHardware(master: HDKey, psbt: string): string {
  const transaction = Transaction.fromPSBT(base64.decode(psbt));
  for (let input = 0; input < transaction.inputsLength; input += 1) {
    const [derivation] = transaction.getInput(input).bip32Derivation ?? [];
    assert.ok(derivation, 'the input names its key');
    const [publicKey, { fingerprint, path }] = derivation;
    assert.equal(fingerprint, master.fingerprint, 'the key is of another master key');
    let key = master;
    for (const step of path) key = key.deriveChild(step);
    assert.deepEqual(key.publicKey, publicKey, 'the key is not at that path');
    assert.deepEqual(
      path.slice(0, 3),
      [84, 1, 0].map((step) => step + HARDENED_OFFSET),
    );
    assert.ok(key.privateKey);
    transaction.signIdx(key.privateKey, input);
  }
  return base64.encode(transaction.toPSBT());
}

describe('the account key', () => {
  let node: Regtest;
  let fixture: Fixture | null = null;
  before(async () => {
    node = await startRegtest();
  });
  after(async () => await node.stop());
  afterEach(async () => {
    await fixture?.close();
    fixture = null;
  });
  const current = () => {
    assert.ok(fixture);
    return fixture;
  };
  const { create, get, prefer } = nodeInvoicesOf(current, 'bitcoin');
  const master = HDKey.fromMasterSeed(randomBytes(64), tpub);
  const accountKey = master.derive("m/84'/1'/0'").publicExtendedKey;

  async function open(settings: Record<string, string>, database = createMigratedDatabase()): Promise<Fixture> {
    const { time } = await node.call<{ time: number }>('getblock', await node.call('getbestblockhash'));
    fixture = await openFixture({
      env: {
        ...{ CHAIN_BTC_URL: node.url, CHAIN_BTC_NETWORK: 'regtest', WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' },
        ...settings,
      },
      clock: clockOfBlock(time),
      database: await database,
    });
    await fixture.work();
    return fixture;
  }

  test('in another notation is the same account: no error, no duplicate address, same wallets', async () => {
    const store = await createMigratedDatabase();
    const notDropped = { ...store, drop: () => Promise.resolve() };
    await open({ CHAIN_BTC_ACCOUNT_KEY: accountKey }, Promise.resolve(notDropped));
    const { merchant } = current();
    const before: string[] = [];
    for (let made = 0; made < 4; made += 1) before.push((await create({ type: 'user' })).walletAddress);
    // Named by the digest of its text, as in a former release.
    const { createHash } = await import('node:crypto');
    const former = `bitcoin ${createHash('sha256').update(accountKey).digest('hex').slice(0, 16)}`;
    const { database } = current().service();
    await db(database).updateTable('wallet_accounts').set({ name: former }).where('chain', '=', 'bitcoin').execute();
    // A second row, as a change of the notation has created in a former release.
    const other = `bitcoin ${createHash('sha256').update(asVpub(accountKey)).digest('hex').slice(0, 16)}`;
    await db(database)
      .insertInto('wallet_accounts')
      .values({
        ...{ name: other, chain: 'bitcoin', next_index: 2, database_timeline: null, settled_at: null },
        ...{ lost_writes_since: null, lost_writes_reason: null, lost_writes_height: null },
      })
      .execute();
    await current().close();

    await open({ CHAIN_BTC_ACCOUNT_KEY: asVpub(accountKey) }, Promise.resolve(store));
    for (let made = 0; made < 16; made += 1)
      before.push((await create({ type: 'user', txId: `after-${made}` }, merchant)).walletAddress);
    assert.equal(new Set(before).size, 20);
    const accounts = await db(current().service().database)
      .selectFrom('wallet_accounts')
      .select(['id', 'next_index'])
      .where('chain', '=', 'bitcoin')
      .execute();
    assert.deepEqual(
      accounts.map((row) => row.next_index),
      [20],
    );
  });

  test('of another depth or origin stops the startup with a clear error', async () => {
    const refuses = async (settings: Record<string, string>, pattern: RegExp) =>
      await assert.rejects(
        async () =>
          await connectChains(
            readConfig({ CHAIN_BTC_URL: node.url, CHAIN_BTC_NETWORK: 'regtest', ...settings }),
            new SimulatedClock(),
          ),
        pattern,
      );
    await refuses({ CHAIN_BTC_ACCOUNT_KEY: master.publicExtendedKey }, /depth 0; an account key .* has depth 3/);
    const deeper = master.derive("m/84'/1'/0'/0").publicExtendedKey;
    await refuses({ CHAIN_BTC_ACCOUNT_KEY: deeper }, /depth 4/);
    const origin = { CHAIN_BTC_ACCOUNT_KEY: accountKey, CHAIN_BTC_ACCOUNT_ORIGIN: 'd34db33f/84h/1h/7h' };
    await refuses(origin, /it is not at d34db33f\/84h\/1h\/7h/);
    await refuses(
      { ...origin, CHAIN_BTC_ACCOUNT_KEY: `[d34db33f/84h/1h/0h]${accountKey}` },
      /contain different origins/,
    );
    await refuses({ ...origin, CHAIN_BTC_ACCOUNT_ORIGIN: '84h/1h/0h' }, /must be master fingerprint and path/);
  });

  test('with its origin creates PSBTs that a signer with the master key signs by the rules of BIP 174', async () => {
    const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
    await open({ CHAIN_BTC_ACCOUNT_KEY: `[${fingerprint}/84'/1'/0']${accountKey}` });
    const destination = bitcoinAddress(78);
    await prefer({
      ...{ 'auto-withdrawal': true, 'auto-withdrawal-destination-btc': destination },
      'wallet-rotate-amount-btc': '1',
    });
    const [first, second] = [await create(), await create()];
    await node.payAll([first, second].map(({ walletAddress: address }) => ({ address, amount: 150_000n })));
    await node.mine(2);
    await current().work();
    assert.equal((await get(first)).status, 'complete');
    const { body } = await current().request('/v1/withdrawals?status=to_sign');
    assert.equal(body.withdrawals.length, 1);
    const [{ id }] = body.withdrawals;
    const detail = (await current().request(`/v1/withdrawal?id=${id}`)).body;
    const signed = signAsHardware(master, detail.unsigned.data);
    const submitted = await current().request('/v1/withdrawal/submit', {
      body: { id, signed },
      token: current().merchant.managerToken,
    });
    assert.equal(submitted.status, 200, submitted.text);
    await current().work();
    await node.mine(2);
    await current().advance(MINUTE);
    await current().work();
    assert.equal((await current().request(`/v1/withdrawal?id=${id}`)).body.status, 'confirmed');
  });

  test('has a descriptor with a checksum, which wallet software can import', () => {
    const key =
      'xpub6DJ2dNUysrn5Vt36jH2KLBT2i1auw1tTSSomg8PhqNiUtx8QX2SvC9nrHu81fT41fvDUnhMjEzQgXnQjKEu3oaqMSzhSrHMxyyoEAmUHQbY';
    // From Bitcoin Core's doc/descriptors.md.
    assert.equal(
      accountDescriptor(key, parseOrigin('d34db33f/84h/0h/0h'), bitcoinChain.networks.mainnet),
      `wpkh([d34db33f/84h/0h/0h]${key}/0/*)#cjjspncu`,
    );
    assert.equal(
      accountDescriptor(asVpub(accountKey), null, bitcoinChain.networks.regtest),
      accountDescriptor(accountKey, null, bitcoinChain.networks.regtest),
    );
  });
});
