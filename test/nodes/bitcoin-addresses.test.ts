import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Address, OutScript } from '@scure/btc-signer';
import fc from 'fast-check';
import { createBitcoinAddresses } from '../../src/chains/bitcoin/addresses.ts';
import { createScriptToAddress } from '../../src/chains/bitcoin/script-address.ts';
import type { NetworkParameters } from '../../src/shared/chains/description.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';

const mainnet = createBitcoinAddresses(bitcoinChain.networks.mainnet);
const testnet = createBitcoinAddresses(bitcoinChain.networks.testnet4);
const regtest = createBitcoinAddresses(bitcoinChain.networks.regtest);

/** BIP 84, test vectors. */
const bip84 = {
  zprv: 'zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE',
  zpub: 'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  addresses: ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g'],
};

const account = HDKey.fromExtendedKey(bip84.zpub, { public: 0x04b24746, private: 0x04b2430c });

/** The account key in the notations of other wallets. */
function written(version: number): string {
  const { chainCode, publicKey, depth, index, parentFingerprint } = account;
  if (!chainCode || !publicKey) throw new Error('The account has no key');
  const versions = { public: version, private: 0 };
  return new HDKey({ chainCode, publicKey, depth, index, parentFingerprint, versions }).publicExtendedKey;
}

test('a transaction has a page in the explorer of its network, and none on a simulated chain', () => {
  assert.equal(mainnet.explorerUrl('ab'), 'https://mempool.space/tx/ab');
  assert.equal(testnet.explorerUrl('ab'), 'https://mempool.space/testnet4/tx/ab');
  assert.equal(regtest.explorerUrl('ab'), null);
  const litecoin = createBitcoinAddresses(litecoinChain.networks.mainnet);
  assert.equal(litecoin.explorerUrl('ab'), 'https://litecoinspace.org/tx/ab');
});

describe('derived addresses', () => {
  test('match the BIP 84 vectors', () => {
    for (const [index, address] of bip84.addresses.entries()) {
      assert.equal(mainnet.derive(bip84.zpub, index), address);
      assert.equal(mainnet.normalize(address), address);
    }
  });

  test('are the same for every notation of a key on its network', () => {
    const xpub = written(0x0488b21e);
    const tpub = written(0x043587cf);
    const vpub = written(0x045f1cf6);
    assert.match(xpub, /^xpub/);
    assert.match(tpub, /^tpub/);
    assert.match(vpub, /^vpub/);
    assert.equal(mainnet.derive(xpub, 1), bip84.addresses[1]);
    assert.equal(testnet.derive(tpub, 0), 'tb1qcr8te4kr609gcawutmrza0j4xv80jy8zmfp6l0');
    assert.equal(testnet.derive(vpub, 0), testnet.derive(tpub, 0));
    assert.equal(regtest.derive(vpub, 0), 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx');
    assert.notEqual(mainnet.derive(xpub, 2), mainnet.derive(xpub, 3));
    for (const [addresses, key] of [
      [mainnet, tpub],
      [mainnet, vpub],
      [testnet, xpub],
      [regtest, bip84.zpub],
      // ypub: BIP 49, another address type.
      [mainnet, written(0x049d7cb2)],
    ] as const) {
      assert.throws(() => addresses.derive(key, 0), /not an extended account key of/);
    }
  });

  test('are rejected for a private or broken key or an invalid index, and errors contain no key', () => {
    for (const key of [bip84.zprv, bip84.zpub.replace('6rF', '6rG'), bip84.zpub.slice(0, -1), '', 'xpub']) {
      assert.throws(
        () => mainnet.derive(key, 0),
        (error) => key === '' || key === 'xpub' || !inspect(error, { depth: 9 }).includes(key),
      );
    }
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => mainnet.derive(bip84.zpub, index), RangeError);
    }
    assert.match(mainnet.derive(bip84.zpub, 2 ** 31 - 1), /^bc1q/);
  });
});

describe('destination addresses', () => {
  /** Valid addresses of BIP 173 and BIP 350 with their scripts, limited to the standard types. */
  const valid: [NetworkParameters, string, string][] = [
    [
      bitcoinChain.networks.mainnet,
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
      '0014751e76e8199196d454941c45d1b3a323f1433bd6',
    ],
    [
      bitcoinChain.networks.testnet4,
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      bitcoinChain.networks.testnet4,
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      bitcoinChain.networks.testnet4,
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      bitcoinChain.networks.mainnet,
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    // BIP 341, wallet test vectors.
    [
      bitcoinChain.networks.mainnet,
      'bc1p2wsldez5mud2yam29q22wgfh9439spgduvct83k3pm50fcxa5dps59h4z5',
      '512053a1f6e454df1aa2776a2814a721372d6258050de330b3c6d10ee8f4e0dda343',
    ],
    [
      bitcoinChain.networks.mainnet,
      'bc1pz37fc4cn9ah8anwm4xqqhvxygjf9rjf2resrw8h8w4tmvcs0863sa2e586',
      '5120147c9c57132f6e7ecddba9800bb0c4449251c92a1e60371ee77557b6620f3ea3',
    ],
    [
      bitcoinChain.networks.mainnet,
      'bc1punvppl2stp38f7kwv2u2spltjuvuaayuqsthe34hd2dyy5w4g58qqfuag5',
      '5120e4d810fd50586274face62b8a807eb9719cef49c04177cc6b76a9a4251d5450e',
    ],
    // Base58Check: P2PKH and P2SH.
    [
      bitcoinChain.networks.mainnet,
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac',
    ],
    [
      bitcoinChain.networks.mainnet,
      '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
      'a914b472a266d0bd89c13706a4132ccfb16f7c3b9fcb87',
    ],
    [
      bitcoinChain.networks.testnet4,
      'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
      '76a914243f1394f44554f4ce3fd68649c19adc483ce92488ac',
    ],
    [
      bitcoinChain.networks.testnet4,
      '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
      'a9144e9f39ca4688ff102128ea4ccda34105324305b087',
    ],
  ];

  test('have one canonical form with the same script', () => {
    for (const [network, address, script] of valid) {
      const normal = createBitcoinAddresses(network).normalize(address);
      assert.equal(normal, network.bech32 && /^(bc|tb)1/i.test(address) ? address.toLowerCase() : address);
      assert.equal(createScriptToAddress(network)(hex.decode(script)), normal);
    }
  });

  test('of another network are rejected', () => {
    for (const [network, address] of valid) {
      for (const other of [...Object.values(bitcoinChain.networks), ...Object.values(litecoinChain.networks)]) {
        if (other.pubKeyHash === network.pubKeyHash && (other.bech32 === network.bech32 || !/1[qp]/i.test(address))) {
          continue;
        }
        assert.equal(createBitcoinAddresses(other).normalize(address), null, `${address} on ${other.name}`);
      }
    }
  });

  test('are rejected if the BIPs reject them, or if no one or anyone could spend their outputs', () => {
    for (const address of [
      // BIP 350, invalid addresses.
      'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
      'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
      'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
      'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
      'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
      'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
      'bc1pw5dgrnzv',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
      'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
      'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
      'bc1gmk9yu',
      // BIP 173: mixed case, and types that are not in use.
      'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7Kv8f3t4',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      'BC1SW50QGDZ25J',
      'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
      // P2A: anyone can spend it.
      'bc1pfeessrawgf',
      // A taproot key that is not on the curve: x is 5.
      Address(bitcoinChain.networks.mainnet).encode({ type: 'tr', pubkey: new Uint8Array(32).fill(5, 31) }),
      // A changed letter, spaces, a URI, empty text.
      '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3',
      ' 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      'bitcoin:1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '',
    ]) {
      assert.equal(mainnet.normalize(address), null, address);
      assert.equal(testnet.normalize(address), null, address);
    }
  });

  test('never throw, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        assert.equal(mainnet.normalize(text), null);
      }),
    );
  });

  test('are rejected with one character changed', () => {
    const characters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const change = fc.record({
      known: fc.constantFrom(...valid),
      at: fc.nat(),
      character: fc.constantFrom(...characters),
    });
    fc.assert(
      fc.property(change, ({ known: [network, address], at, character }) => {
        const position = at % address.length;
        fc.pre(address[position] !== character);
        const changed = address.slice(0, position) + character + address.slice(position + 1);
        assert.equal(createBitcoinAddresses(network).normalize(changed), null, changed);
      }),
      { numRuns: 1000 },
    );
  });

  test('of Litecoin follow from its parameters', () => {
    const litecoin = createBitcoinAddresses(litecoinChain.networks.mainnet);
    const { normalize } = litecoin;
    assert.equal(
      normalize('LTC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KGMN4N9'),
      'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    );
    assert.equal(normalize('LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1'), 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1');
    assert.equal(normalize('MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9'), 'MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9');
    assert.equal(normalize('3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj'), null);
    assert.match(litecoin.derive(bip84.zpub, 0), /^ltc1qcr8te4kr609gcawutmrza0j4xv80jy8z/);
    assert.match(
      createBitcoinAddresses(litecoinChain.networks.regtest).derive(written(0x043587cf), 0),
      /^rltc1qcr8te4kr/,
    );
    const uri = litecoin.paymentUri({ code: 'btc', address: 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', amount: 1n });
    assert.equal(uri, 'litecoin:LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1?amount=0.00000001');
  });
});

describe('output scripts', () => {
  const addressOf = createScriptToAddress(bitcoinChain.networks.mainnet);

  test('have an address if their bytes are of a standard type', () => {
    const coder = Address(bitcoinChain.networks.mainnet);
    const payload = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
    const script = fc.oneof(
      ...(['pkh', 'sh', 'wpkh'] as const).map((type) => payload(20).map((hash) => OutScript.encode({ type, hash }))),
      payload(32).map((hash) => OutScript.encode({ type: 'wsh', hash })),
    );
    fc.assert(
      fc.property(script, (bytes) => {
        const address = addressOf(bytes);
        assert.ok(address);
        assert.deepEqual(OutScript.encode(coder.decode(address)), bytes);
        assert.equal(mainnet.normalize(address), address);
      }),
    );
  });

  test('have no address if they are only equivalent', () => {
    const hash = 'ab'.repeat(20);
    for (const script of [
      // A program behind OP_PUSHDATA1 is not a witness program; anyone can spend it.
      `004c14${hash}`,
      `004d1400${hash}`,
      `514c20${'ab'.repeat(32)}`,
      `76a94c14${hash}88ac`,
      `a94c14${hash}87`,
      // One byte more or less, another version, OP_RETURN, a bare key, empty.
      `0014${hash}00`,
      `0013${hash.slice(2)}`,
      `5214${hash}`,
      `5220${'ab'.repeat(32)}`,
      `76a914${hash}88ad`,
      `a914${hash}88`,
      `6a14${hash}`,
      `2102${'ab'.repeat(32)}ac`,
      '51024e73',
      '',
    ]) {
      assert.equal(addressOf(hex.decode(script)), null, script);
    }
  });
});

describe('payment URIs', () => {
  test('follow BIP 21', () => {
    const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
    assert.equal(mainnet.paymentUri({ code: 'btc', address, amount: null }), `bitcoin:${address}`);
    assert.equal(
      mainnet.paymentUri({ code: 'btc', address, amount: 2_030_000_000n }),
      `bitcoin:${address}?amount=20.3`,
    );
    assert.equal(mainnet.paymentUri({ code: 'btc', address, amount: 5_000_000_000n }), `bitcoin:${address}?amount=50`);
    assert.equal(mainnet.paymentUri({ code: 'btc', address, amount: 1n }), `bitcoin:${address}?amount=0.00000001`);
  });

  test('contain the exact amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n }), (amount) => {
        const uri = new URL(mainnet.paymentUri({ code: 'btc', address: bip84.addresses[0] ?? '', amount }));
        const [coins = '', decimals = ''] = (uri.searchParams.get('amount') ?? '').split('.');
        assert.equal(BigInt(coins + decimals.padEnd(8, '0')), amount);
      }),
    );
  });
});
