import { type BitcoinChain, mainExtendedKeys, testExtendedKeys } from './description.ts';

const policy = { uriScheme: 'bitcoin', dustRate: 3n, mweb: null } as const;

const testNetwork = {
  ...policy,
  bech32: 'tb',
  pubKeyHash: 0x6f,
  scriptHash: 0xc4,
  wif: 0xef,
  extendedKeys: testExtendedKeys,
  minesOnDemand: false,
} as const;

export const bitcoin = {
  family: 'bitcoin',
  name: 'Bitcoin',
  feeCode: 'btc',
  coinType: 0,
  // About an hour.
  replaceAfterBlocks: 6,
  maxFeeRate: 500,
  coins: {
    btc: {
      ...{
        decimals: 8,
        name: 'Bitcoin',
        shortName: 'Bitcoin',
        smallestUnit: 'satoshi',
        minConfirmations: 2,
        usdPrice: '98000',
      },
      // The dust limit of P2WPKH, and 21 million coins.
      ...{ minUnits: 294n, maxUnits: 2_100_000_000_000_000n },
    },
  },
  node: 'Bitcoin Core 25 or later',
  keyNotations: '`xpub` or `zpub`, on test networks `tpub` or `vpub`',
  // As in Bitcoin Core's `kernel/chainparams.cpp`. testnet4 and signet differ only in their blocks.
  networks: {
    mainnet: {
      ...policy,
      name: 'mainnet',
      explorer: 'https://mempool.space/tx/',
      bech32: 'bc',
      pubKeyHash: 0x00,
      scriptHash: 0x05,
      wif: 0x80,
      extendedKeys: mainExtendedKeys,
      genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      minesOnDemand: false,
    },
    testnet4: {
      ...testNetwork,
      name: 'testnet4',
      explorer: 'https://mempool.space/testnet4/tx/',
      genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    },
    signet: {
      ...testNetwork,
      name: 'signet',
      explorer: 'https://mempool.space/signet/tx/',
      genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    },
    regtest: {
      ...testNetwork,
      name: 'regtest',
      explorer: null,
      bech32: 'bcrt',
      genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
      minesOnDemand: true,
    },
  },
} as const satisfies BitcoinChain;
