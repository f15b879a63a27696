import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { mnemonicToSeedSync } from '@scure/bip39';
import { addr } from 'micro-eth-signer';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import { networkCurrencies, createCustomNetwork, findEthereumNetwork } from '../../src/chains/ethereum/networks.ts';

const mainnet = findEthereumNetwork('ethereum', 'mainnet');
const sepolia = findEthereumNetwork('ethereum', 'sepolia');
const addresses = createEthereumAddresses(mainnet);

/** First vector of BIP 39 without a passphrase: mnemonic, seed, account m/44'/60'/0' and first addresses, as in the tests of many wallets. */
const MNEMONIC = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const SEED =
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4';
const ACCOUNT_KEY =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt';
const FIRST_ADDRESSES = [
  '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
  '0xb6716976A3ebe8D39aCEB04372f22Ff8e6802D7A',
  '0xF3f50213C1d2e255e4B2bAD430F8A38EEF8D718E',
  '0x51cA8ff9f1C0a99f88E86B8112eA3237F55374cA',
];

test('a transaction has a page in the explorer of its network, and none on a local one', () => {
  assert.equal(addresses.explorerUrl('0xab'), 'https://etherscan.io/tx/0xab');
  assert.equal(createEthereumAddresses(createCustomNetwork('ethereum', { chainId: 31_337 })).explorerUrl('0xab'), null);
});

describe('addresses below an account key', () => {
  test('match the published vectors', () => {
    assert.deepEqual(
      FIRST_ADDRESSES.map((_address, index) => addresses.derive(ACCOUNT_KEY, index)),
      FIRST_ADDRESSES,
    );
  });

  test('follow from the mnemonic by BIP 39, 32 and 44', () => {
    const seed = Buffer.from(SEED, 'hex');
    assert.deepEqual(Buffer.from(mnemonicToSeedSync(MNEMONIC)), seed);
    const root = HDKey.fromMasterSeed(seed);
    assert.equal(root.derive("m/44'/60'/0'").publicExtendedKey, ACCOUNT_KEY);
    fc.assert(
      fc.property(fc.nat(0x7fff_ffff), (index) => {
        const { privateKey } = root.derive(`m/44'/60'/0'/0/${index}`);
        assert.ok(privateKey);
        assert.equal(addresses.derive(ACCOUNT_KEY, index), addr.fromPrivateKey(privateKey));
      }),
      { numRuns: 20 },
    );
  });

  test('are rejected for a private key, a key that is not an account key, and other text', () => {
    const seed = HDKey.fromMasterSeed(new Uint8Array(64).fill(7));
    const account = seed.derive("m/44'/60'/0'");
    assert.throws(() => addresses.derive(account.privateExtendedKey, 0), /private/);
    const chain = account.deriveChild(0).publicExtendedKey;
    assert.throws(() => addresses.derive(chain, 0), /has depth 4/);
    assert.throws(() => addresses.derive(seed.publicExtendedKey, 0), /has depth 0/);
    assert.throws(() => addresses.derive(ACCOUNT_KEY.replace('DCo', 'DCp'), 0));
    assert.throws(() => addresses.derive('xpub', 0));
    for (const index of [-1, 0.5, 2 ** 31]) assert.throws(() => addresses.derive(ACCOUNT_KEY, index), String(index));
  });
});

describe('the canonical form of an address', () => {
  /** All test cases of EIP-55. */
  const examples = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ];

  test('has the EIP-55 checksum, for any input case', () => {
    for (const example of examples) {
      const digits = example.slice(2);
      assert.equal(addresses.normalize(example), example);
      assert.equal(addresses.normalize(example.toLowerCase()), example);
      assert.equal(addresses.normalize(`0x${digits.toUpperCase()}`), example);
      assert.equal(addresses.normalize(example.toUpperCase()), example);
    }
  });

  test('is null if the case of one letter is wrong', () => {
    const mixed = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => addresses.normalize(`0x${Buffer.from(bytes).toString('hex')}`) ?? '')
      .filter((address) => (address.match(/[a-f]/g) ?? []).length > 1 && (address.match(/[A-F]/g) ?? []).length > 1);
    fc.assert(
      fc.property(mixed, fc.nat(), (address, place) => {
        assert.equal(addresses.normalize(address), address);
        const letters = [...address.matchAll(/[a-fA-F]/g)].map(({ index }) => index);
        const at = letters[place % letters.length] ?? 0;
        const letter = address.charAt(at);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        assert.equal(addresses.normalize(address.slice(0, at) + other + address.slice(at + 1)), null);
      }),
    );
  });

  test('is null for other text', () => {
    const example = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    for (const text of [
      ...['', '0x', example.slice(2), `${example}0`, example.slice(0, -1), ` ${example}`, `${example}\n`],
      ...[example.replace('0x', '1x'), example.replace('5a', '5g'), 'vitalik.eth', `ethereum:${example}`],
    ])
      assert.equal(addresses.normalize(text), null, JSON.stringify(text));
    fc.assert(
      fc.property(fc.string(), (text) => {
        const kept = addresses.normalize(text);
        assert.ok(kept === null || kept.toLowerCase() === text.toLowerCase());
      }),
    );
  });
});

describe('payment URIs', () => {
  /** The grammar of EIP-681 for payments, with all its number formats. */
  function read(uri: string) {
    const form =
      /^ethereum:(?:pay-)?(?<target>0x[0-9a-fA-F]{40})(?:@(?<chain>\d+))?(?:\/(?<call>\w+))?(?:\?(?<rest>.+))?$/;
    const { target = '', chain, call, rest } = form.exec(uri)?.groups ?? {};
    const parameters = new URLSearchParams(rest ?? '');
    const number = (name: string) => {
      const parts = /^(?<whole>\d*)(?:\.(?<part>\d+))?(?:[eE](?<power>\d+))?$/.exec(parameters.get(name) ?? '')?.groups;
      if (!parts) return null;
      const { whole = '', part = '', power = '0' } = parts;
      return whole + part === '' ? null : BigInt(whole + part.padEnd(Number(power), '0'));
    };
    const isToken = call === 'transfer';
    return {
      to: (isToken ? (parameters.get('address') ?? '') : target).toLowerCase(),
      contract: isToken ? target.toLowerCase() : null,
      chain: chain ?? null,
      amount: number(isToken ? 'uint256' : 'value'),
    };
  }

  test("equal EIP-681's examples, with the chain ID added", () => {
    const example = 'ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18';
    const address = addresses.normalize('0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359') ?? '';
    const uri = addresses.paymentUri({ code: 'eth', address, amount: 2_014_000_000_000_000_000n });
    assert.equal(uri, 'ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1?value=2014000000000000000');
    assert.deepEqual(read(uri), { ...read(example), chain: '1' });

    const unicorn =
      'ethereum:0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7/transfer?address=0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1';
    const token = { address: '0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7', decimals: 6 };
    const local = createEthereumAddresses(createCustomNetwork('ethereum', { chainId: 1337, tokens: { usdt: token } }));
    const payment = local.paymentUri({
      code: 'usdt',
      address: '0x8e23ee67d1332ad560396262c48ffbb01f93d052',
      amount: 1n,
    });
    assert.deepEqual(read(payment), { ...read(unicorn), chain: '1337' });
  });

  test('omit unknown parts', () => {
    const [address = ''] = FIRST_ADDRESSES;
    assert.equal(addresses.paymentUri({ code: 'eth', address, amount: null }), `ethereum:${address}@1`);
    assert.equal(
      addresses.paymentUri({ code: 'usdc', address, amount: null }),
      `ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=${address}`,
    );
  });

  test('contain any amount exactly', () => {
    const [address = ''] = FIRST_ADDRESSES;
    fc.assert(
      fc.property(fc.constantFrom('eth', 'usdt', 'usdc'), fc.bigInt(1n, 2n ** 256n - 1n), (code, amount) => {
        assert.equal(read(addresses.paymentUri({ code, address, amount })).amount, amount);
      }),
    );
  });

  test('are rejected for a currency that the network lacks', () => {
    const [address = ''] = FIRST_ADDRESSES;
    assert.throws(() => createEthereumAddresses(sepolia).paymentUri({ code: 'usdt', address, amount: 1n }), /no usdt/);
    assert.throws(() => addresses.paymentUri({ code: 'btc', address, amount: 1n }), /no btc/);
  });
});

describe('networks', () => {
  test('have contract addresses in canonical form', () => {
    for (const { tokens } of [mainnet, sepolia])
      for (const { address } of Object.values(tokens)) assert.equal(addresses.normalize(address), address);
    assert.deepEqual(networkCurrencies(mainnet).slice(0, 3), ['eth', 'usdt', 'usdc']);
    assert.deepEqual(networkCurrencies(sepolia).slice(0, 2), ['eth', 'usdc']);
  });

  test('created from settings accept valid values only', () => {
    const address = '0x8e23ee67d1332ad560396262c48ffbb01f93d052';
    const network = createCustomNetwork('ethereum', { chainId: 5, tokens: { usdc: { address, decimals: 6 } } });
    assert.deepEqual(network.tokens, { usdc: { address: addresses.normalize(address), decimals: 6 } });
    assert.deepEqual(networkCurrencies(createCustomNetwork('ethereum', { chainId: 5 })), ['eth']);
    assert.throws(() => createCustomNetwork('ethereum', { chainId: 0 }), /chain ID/);
    assert.throws(
      () => createCustomNetwork('ethereum', { chainId: 5, tokens: { usdc: { address: '0x1', decimals: 6 } } }),
      /address/,
    );
    assert.throws(
      () => createCustomNetwork('ethereum', { chainId: 5, tokens: { usdt: { address, decimals: 18 } } }),
      /6 decimals/,
    );
  });
});
