// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { requireDistinctAddresses } from '../../src/chains/connect.ts';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import { createCustomNetwork } from '../../src/chains/ethereum/networks.ts';
import { chainNames, chains } from '../../src/shared/crypto-currency.ts';

function assertDistinct(values: readonly string[]): void {
  assert.deepEqual(values, [...new Set(values)]);
}

describe('the descriptions of chains', () => {
  test('share no currency code, by which amounts are stored', () => {
    assertDistinct(chainNames.flatMap((name) => Object.keys(chains[name].coins)));
  });

  test('have a derivation path of their own, so that no two accounts of a seed have the same addresses', () => {
    assertDistinct(chainNames.map((name) => `${chains[name].family} ${chains[name].coinType}`));
  });

  test('name no network twice', () => {
    assertDistinct(
      chainNames.flatMap((name) =>
        Object.values(chains[name].networks).map((network) =>
          'chainId' in network ? `chain ID ${network.chainId}` : network.genesisHash,
        ),
      ),
    );
  });
});

test('two chains with the same account key and address format are refused', () => {
  const accountOf = (byte: number) => {
    const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(byte));
    return master.derive("m/44'/60'/0'").publicExtendedKey;
  };
  const addresses = (chainId: number) => ({
    addresses: createEthereumAddresses(createCustomNetwork('ethereum', { chainId })),
  });
  const first = { name: 'ethereum', accountKey: accountOf(1), chain: addresses(1) } as const;
  const second = { name: 'litecoin', accountKey: accountOf(1), chain: addresses(2) } as const;
  assert.throws(
    () => requireDistinctAddresses([first, second]),
    /CHAIN_LTC_ACCOUNT_KEY and CHAIN_ETH_ACCOUNT_KEY derive the same addresses/,
  );
  requireDistinctAddresses([first, { ...second, accountKey: accountOf(2) }]);
});
