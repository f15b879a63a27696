export interface FamilyDescription {
  /** `utxo`: transactions spend outputs; `account`: accounts send transactions with nonces. */
  model: 'utxo' | 'account';
  /** Display unit of fee rates, and its decimals in the smallest unit. */
  feeUnit: string;
  feeUnitName: string;
  feeDecimals: number;
  /** Format of transactions to sign externally. */
  unsignedFormat: string;
}

/** Chains served by one adapter, which differ only in parameters. */
export const chainFamilies = {
  bitcoin: {
    model: 'utxo',
    ...{ feeUnit: 'sat/vB', feeUnitName: 'satoshi per virtual byte', feeDecimals: 0 },
    unsignedFormat: 'psbt',
  },
  ethereum: {
    model: 'account',
    // A gwei has a billion wei.
    ...{ feeUnit: 'gwei', feeUnitName: 'gwei per unit of gas', feeDecimals: 9 },
    unsignedFormat: 'eip1559',
  },
} as const satisfies Record<string, FamilyDescription>;

export type ChainFamily = keyof typeof chainFamilies;

/** A coin or token of a chain. */
export interface CoinDescription {
  /** Decimals of the whole coin. */
  decimals: number;
  name: string;
  /** Short display name for payers. */
  shortName: string;
  /** Name of its smallest unit; null if it has none. */
  smallestUnit: string | null;
  /** Default number of confirmations. */
  minConfirmations: number;
  /** The minimum amount of an invoice, in the smallest unit: nodes relay no smaller payment to a deposit address. */
  minUnits: bigint;
  /** Upper bound of amounts, above the total supply. */
  maxUnits: bigint;
  /** US dollars for one whole coin in the sandbox's rate table. */
  usdPrice: string;
}

interface AnyChain {
  family: ChainFamily;
  /** Display name for payers. */
  name: string;
  /** Coin of the fees. Settings are named after it: `CHAIN_BTC_URL`. */
  feeCode: string;
  /** Coin type in derivation paths (SLIP 44). */
  coinType: number;
  /** Blocks after which an unconfirmed withdrawal is replaced at a higher fee. */
  replaceAfterBlocks: number;
  /** The maximum fee rate of a withdrawal unless the operator sets another: sat/vB, or gwei per unit of gas. */
  maxFeeRate: number;
  /** By lower-case code. */
  coins: Readonly<Record<string, CoinDescription>>;
}

/** A chain of the Bitcoin family. */
export interface BitcoinChain extends AnyChain {
  family: 'bitcoin';
  /** The supported node and its minimum release. */
  node: string;
  /** The notations of extended public keys that wallets of the chain use. */
  keyNotations: string;
  /** Keyed by their names in settings. The sandbox simulates `regtest`. */
  networks: Readonly<Record<'mainnet' | 'regtest', NetworkParameters> & Record<string, NetworkParameters>>;
}

/** A chain of the Ethereum family, with EIP-1559 fees. Currencies other than the fee coin are ERC-20 contracts. */
export interface EthereumChain extends AnyChain {
  family: 'ethereum';
  /** `contracts`: by network. */
  coins: Readonly<Record<string, CoinDescription & { contracts?: Readonly<Record<string, string>> }>>;
  /** Keyed by their names in settings. */
  networks: Readonly<Record<'mainnet', EthereumParameters> & Record<string, EthereumParameters>>;
  /** Maximum age of the last block in seconds, before the node counts as behind. */
  staleAfterSeconds: number;
}

/** The parameters of one network of the Ethereum family. */
export interface EthereumParameters {
  /** Name for payers: `Ethereum Sepolia`. */
  title: string;
  /** EIP-155. */
  chainId: number;
  /** URL prefix of a transaction page in a block explorer; the hash is appended. */
  explorer: string;
}

/** The parameters of one network of the Bitcoin family. */
export interface NetworkParameters {
  name: string;
  /** Human-readable part of segregated witness addresses (BIP 173). */
  bech32: string;
  /** Version bytes of addresses and keys in Base58Check. */
  pubKeyHash: number;
  scriptHash: number;
  wif: number;
  /** Version bytes of extended keys: those of BIP 32, and those that wallets use for BIP 84 (SLIP 132). */
  extendedKeys: readonly { public: number; private: number }[];
  /** The hash of the first block, unique to the network. */
  genesisHash: string;
  /** Start of a transaction's page in a block explorer, before its hash; null for networks without one. */
  explorer: string | null;
  /** Scheme of payment URIs (BIP 21). */
  uriScheme: string;
  /**
   * Satoshi per virtual byte. An output that costs more to spend than its value at this rate is dust (`-dustrelayfee`).
   */
  dustRate: bigint;
  /**
   * Human-readable part of addresses in the extension block (MWEB, LIP 4), to which the service cannot pay; null if
   * there is none.
   */
  mweb: string | null;
  /** True if blocks are mined only on request; an old last block then does not mean that the node is behind. */
  minesOnDemand: boolean;
}

/** xpub and zpub. */
export const mainExtendedKeys = [
  { public: 0x0488b21e, private: 0x0488ade4 },
  { public: 0x04b24746, private: 0x04b2430c },
] as const;

/** tpub and vpub. */
export const testExtendedKeys = [
  { public: 0x043587cf, private: 0x04358394 },
  { public: 0x045f1cf6, private: 0x045f18bc },
] as const;
