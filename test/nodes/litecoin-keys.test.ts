import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { createBitcoinAddresses } from '../../src/chains/bitcoin/addresses.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';
import { deriveAccountKeys } from '../../src/chains/connect.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { readConfig } from '../../src/config.ts';

const seed = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`);
const mainnet = createBitcoinAddresses(litecoinChain.networks.mainnet);
const testnet = createBitcoinAddresses(litecoinChain.networks.testnet);
/** The first address of that seed at m/84'/2'/0'. */
const FIRST = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';

/** A public key with the version bytes of other wallets. */
function written(key: string, version: number): string {
  const { chainCode, publicKey, depth, index, parentFingerprint } = HDKey.fromExtendedKey(key, {
    public: Buffer.from(key.startsWith('xpub') ? '0488b21e' : '043587cf', 'hex').readUInt32BE(),
    private: 0,
  });
  assert.ok(chainCode && publicKey);
  const versions = { public: version, private: 0 };
  return new HDKey({ chainCode, publicKey, depth, index, parentFingerprint, versions }).publicExtendedKey;
}

describe('Litecoin keys and addresses', () => {
  test("the seed's account is m/84'/2'/0', on test networks m/84'/1'/0'", async () => {
    const main = await deriveAccount(seed, 'litecoin', { isTest: false });
    assert.equal(mainnet.derive(main.publicKey, 0), FIRST);
    const [tests, bitcoins] = [
      await deriveAccount(seed, 'litecoin', { isTest: true }),
      await deriveAccount(seed, 'bitcoin', { isTest: true }),
    ];
    assert.equal(tests.publicKey, bitcoins.publicKey);
    assert.match(testnet.derive(tests.publicKey, 0), /^tltc1q/);
  });

  test('every prefix of Litecoin wallets gives the same addresses', async () => {
    const main = (await deriveAccount(seed, 'litecoin', { isTest: false })).publicKey;
    for (const [version, prefix] of [
      [0x0488b21e, 'xpub'],
      [0x04b24746, 'zpub'],
      [0x019da462, 'Ltub'],
      [0x01b26ef6, 'Mtub'],
    ] as const) {
      const key = written(main, version);
      assert.ok(key.startsWith(prefix), key);
      assert.equal(mainnet.derive(key, 0), FIRST);
      assert.throws(() => testnet.derive(key, 0), /not an extended account key/);
    }
    const tests = (await deriveAccount(seed, 'litecoin', { isTest: true })).publicKey;
    const ttub = written(tests, 0x0436f6e1);
    assert.ok(ttub.startsWith('ttub'), ttub);
    assert.equal(testnet.derive(ttub, 5), testnet.derive(tests, 5));
    assert.throws(() => mainnet.derive(ttub, 0), /not an extended account key/);
    // Unknown on Bitcoin.
    const bitcoin = createBitcoinAddresses(bitcoinChain.networks.mainnet);
    assert.throws(() => bitcoin.derive(written(main, 0x019da462), 0), /not an extended account key/);
  });

  test('addresses of other chains and of the extension block are rejected', () => {
    for (const address of [
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      'tltc1qxkqy8j0wulz4f7rkm66zjpzvmrjw707x49zh68',
      'ltcmweb1qqvpcvrfpvg8hwdw0t46jxaxeaxvgz3fchpyfrn7lqrkgrl2xyvywkq75mfd4sce3tutdjsyvjtf8xwedt3lqzdwskqk6utev0kjkx7v5quch5k3g',
    ])
      assert.equal(mainnet.normalize(address), null, address);
    assert.match(mainnet.formatHint, /ltcmweb1/);
    // As Litecoin Core writes them on its test network.
    for (const address of [
      'mvz5kqWNmK5xhpHz7FnQhy2Wn5rjQ69YYS',
      'QgqNTJG4Vk2gKRAZ4H1NfZGJcVGsQqGpwR',
      'tltc1qxkqy8j0wulz4f7rkm66zjpzvmrjw707x49zh68',
    ])
      assert.equal(testnet.normalize(address), address);
  });

  test('settings select the network, and the seed must match the key', async () => {
    const { publicKey } = await deriveAccount(seed, 'litecoin', { isTest: false });
    const env = { CHAIN_LTC_URL: 'http://127.0.0.1:9332', CHAIN_LTC_ACCOUNT_KEY: publicKey };
    const config = readConfig(env);
    assert.equal(config.litecoin?.network, 'mainnet');
    assert.deepEqual(Object.keys(await deriveAccountKeys(config, seed)), ['litecoin']);
    await assert.rejects(deriveAccountKeys(config, new Uint8Array(64)), /CHAIN_LTC_ACCOUNT_KEY.*m\/84'\/2'\/0'/);
    assert.throws(() => readConfig({ ...env, CHAIN_LTC_NETWORK: 'signet' }), /CHAIN_LTC_NETWORK/);
    assert.throws(() => readConfig({ CHAIN_LTC_URL: env.CHAIN_LTC_URL }), /CHAIN_LTC_ACCOUNT_KEY must be set/);
  });
});
