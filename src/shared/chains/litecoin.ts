import { type BitcoinChain, mainExtendedKeys, testExtendedKeys } from './description.ts';

const policy = { uriScheme: 'litecoin', dustRate: 30n } as const;

const testNetwork = {
  ...policy,
  pubKeyHash: 0x6f,
  scriptHash: 0x3a,
  wif: 0xef,
  // The last entry is the prefix `ttub`.
  extendedKeys: [...testExtendedKeys, { public: 0x0436f6e1, private: 0x0436ef7d }],
  mweb: 'tmweb',
  minesOnDemand: false,
} as const;

export const litecoin = {
  family: 'bitcoin',
  name: 'Litecoin',
  feeCode: 'ltc',
  coinType: 2,
  // About an hour.
  replaceAfterBlocks: 24,
  maxFeeRate: 500,
  coins: {
    ltc: {
      ...{
        decimals: 8,
        name: 'Litecoin',
        shortName: 'Litecoin',
        smallestUnit: 'litoshi',
        minConfirmations: 6,
        usdPrice: '95',
      },
      // The dust limit of P2WPKH at Litecoin Core's rate, and 84 million coins.
      ...{ minUnits: 2940n, maxUnits: 8_400_000_000_000_000n },
    },
  },
  node: 'Litecoin Core 0.21.2 or later',
  keyNotations: '`xpub`, `zpub`, `Ltub` or `Mtub`, on test networks `tpub`, `vpub` or `ttub`',
  // As in Litecoin Core's `chainparams.cpp`. Script addresses begin with M. The former ones, which begin with 3, could
  // be mistaken for Bitcoin's and are rejected.
  networks: {
    mainnet: {
      ...policy,
      name: 'mainnet',
      explorer: 'https://litecoinspace.org/tx/',
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
      ...testNetwork,
      name: 'testnet',
      explorer: 'https://litecoinspace.org/testnet/tx/',
      bech32: 'tltc',
      genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    },
    regtest: {
      ...testNetwork,
      name: 'regtest',
      explorer: null,
      bech32: 'rltc',
      genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
      minesOnDemand: true,
    },
  },
} as const satisfies BitcoinChain;
