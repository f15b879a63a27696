import type { BitcoinChainName } from '../../shared/crypto-currency.ts';

/** What tells one network of the bitcoin family from another. */
export interface NetworkParameters {
  name: string;
  /** Human-readable part of segregated witness addresses (BIP 173). */
  bech32: string;
  /** Version bytes of addresses and keys in Base58Check. */
  pubKeyHash: number;
  scriptHash: number;
  wif: number;
  /** Version bytes of extended keys: those of BIP 32, and those by which wallets mark BIP 84 (SLIP 132). */
  extendedKeys: readonly { public: number; private: number }[];
  /** The hash of the first block: no other network has it. */
  genesisHash: string;
  /** Scheme of payment URIs (BIP 21). */
  uriScheme: string;
  /** Satoshi for a virtual byte: an output that costs more than its worth at this rate is dust (`-dustrelayfee`). */
  dustRate: bigint;
  /** Human-readable part of addresses in the extension block (MWEB, LIP 4), which are not payable here; null where there is none. */
  mweb: string | null;
  /** Whether blocks come only when somebody asks for them, so that an old last block is no sign of a node that is behind. */
  minesOnDemand: boolean;
}

/** xpub and zpub. */
const mainExtendedKeys = [
  { public: 0x0488b21e, private: 0x0488ade4 },
  { public: 0x04b24746, private: 0x04b2430c },
] as const;

/** tpub and vpub. */
const testExtendedKeys = [
  { public: 0x043587cf, private: 0x04358394 },
  { public: 0x045f1cf6, private: 0x045f18bc },
] as const;

const bitcoinPolicy = { uriScheme: 'bitcoin', dustRate: 3n, mweb: null } as const;

const bitcoinTest = {
  ...bitcoinPolicy,
  bech32: 'tb',
  pubKeyHash: 0x6f,
  scriptHash: 0xc4,
  wif: 0xef,
  extendedKeys: testExtendedKeys,
  minesOnDemand: false,
} as const;

/** As in Bitcoin Core's `kernel/chainparams.cpp`. Nothing but its blocks tells testnet4 from signet. */
export const bitcoinNetworks = {
  mainnet: {
    ...bitcoinPolicy,
    name: 'mainnet',
    bech32: 'bc',
    pubKeyHash: 0x00,
    scriptHash: 0x05,
    wif: 0x80,
    extendedKeys: mainExtendedKeys,
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    minesOnDemand: false,
  },
  testnet4: {
    ...bitcoinTest,
    name: 'testnet4',
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  },
  signet: {
    ...bitcoinTest,
    name: 'signet',
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
  },
  regtest: {
    ...bitcoinTest,
    name: 'regtest',
    bech32: 'bcrt',
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    minesOnDemand: true,
  },
} as const satisfies Record<string, NetworkParameters>;

const litecoinPolicy = { uriScheme: 'litecoin', dustRate: 30n } as const;

const litecoinTest = {
  ...litecoinPolicy,
  pubKeyHash: 0x6f,
  scriptHash: 0x3a,
  wif: 0xef,
  // And ttub.
  extendedKeys: [...testExtendedKeys, { public: 0x0436f6e1, private: 0x0436ef7d }],
  mweb: 'tmweb',
  minesOnDemand: false,
} as const;

/**
 * As in Litecoin Core's `chainparams.cpp`. Script addresses begin with M; the former ones, which begin
 * with 3, could be mistaken for Bitcoin's and are refused.
 */
export const litecoinNetworks = {
  mainnet: {
    ...litecoinPolicy,
    name: 'mainnet',
    bech32: 'ltc',
    pubKeyHash: 0x30,
    scriptHash: 0x32,
    wif: 0xb0,
    // And Ltub and Mtub.
    extendedKeys: [
      ...mainExtendedKeys,
      { public: 0x019da462, private: 0x019d9cfe },
      { public: 0x01b26ef6, private: 0x01b26792 },
    ],
    genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    mweb: 'ltcmweb',
    minesOnDemand: false,
  },
  testnet: {
    ...litecoinTest,
    name: 'testnet',
    bech32: 'tltc',
    genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
  },
  regtest: {
    ...litecoinTest,
    name: 'regtest',
    bech32: 'rltc',
    genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    minesOnDemand: true,
  },
} as const satisfies Record<string, NetworkParameters>;

const networks = {
  bitcoin: bitcoinNetworks,
  litecoin: litecoinNetworks,
} as const satisfies Record<BitcoinChainName, Record<string, NetworkParameters>>;

/** The parameters of a network by its name in the settings. */
export function networkOf(chain: BitcoinChainName, name: string): NetworkParameters {
  const named: Readonly<Record<string, NetworkParameters>> = networks[chain];
  const network = named[name];
  if (!network) throw new RangeError(`There is no network ${name} of ${chain}`);
  return network;
}
