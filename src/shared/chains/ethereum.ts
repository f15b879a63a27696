import type { EthereumChain } from './description.ts';

export const ethereum = {
  family: 'ethereum',
  name: 'Ethereum',
  feeCode: 'eth',
  coinType: 60,
  // Three minutes.
  replaceAfterBlocks: 15,
  maxFeeRate: 500,
  // Blocks arrive every 12 seconds. Single missed slots are normal, but not 50 consecutive ones.
  staleAfterSeconds: 600,
  networks: {
    mainnet: { title: 'Ethereum', chainId: 1, explorer: 'https://etherscan.io/tx/' },
    sepolia: { title: 'Ethereum Sepolia', chainId: 11_155_111, explorer: 'https://sepolia.etherscan.io/tx/' },
  },
  coins: {
    eth: {
      ...{
        decimals: 18,
        name: 'Ether',
        shortName: 'Ether',
        smallestUnit: 'wei',
        minConfirmations: 12,
        usdPrice: '3150',
      },
      // A billion.
      ...{ minUnits: 1n, maxUnits: 1_000_000_000_000_000_000_000_000_000n },
    },
    usdt: {
      ...{
        decimals: 6,
        name: 'Tether USD',
        shortName: 'USDT',
        smallestUnit: null,
        minConfirmations: 12,
        usdPrice: '1',
      },
      // A trillion.
      ...{ minUnits: 1n, maxUnits: 1_000_000_000_000_000_000n },
      // Tether issues nothing on a test network.
      contracts: { mainnet: '0xdAC17F958D2ee523a2206206994597C13D831ec7' },
    },
    usdc: {
      ...{ decimals: 6, name: 'USD Coin', shortName: 'USDC', smallestUnit: null, minConfirmations: 12, usdPrice: '1' },
      ...{ minUnits: 1n, maxUnits: 1_000_000_000_000_000_000n },
      contracts: {
        mainnet: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        sepolia: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
      },
    },
  },
} as const satisfies EthereumChain;
