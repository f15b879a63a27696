import {
  type BitcoinChainName,
  type ChainName,
  chainNames,
  chains,
  cryptoCurrencies,
  type CryptoCurrencyCode,
  type EthereumChainName,
  isEthereumChain,
} from '../../shared/crypto-currency.ts';
import { createBitcoinAddresses } from '../bitcoin/addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { findNetwork } from '../bitcoin/networks.ts';
import { createEthereumAddresses } from '../ethereum/addresses.ts';
import { networkCurrencies, type EthereumNetwork, createCustomNetwork } from '../ethereum/networks.ts';
import { tokenCodesOf } from '../ethereum/tokens.ts';
import type { ChainAddresses, FeeRate } from '../port.ts';

/** The network of a simulated chain's addresses and keys. */
export function findSimulatedNetwork(name: BitcoinChainName): NetworkParameters {
  return findNetwork(name, 'regtest');
}

export const simulatedBitcoinNetwork = findSimulatedNetwork('bitcoin');

/** The usual chain ID of development networks. */
const FIRST_CHAIN_ID = 31_337;

/**
 * The network of a simulated chain of the Ethereum family. Its token addresses have no contract on any real network.
 */
export function findSimulatedEthereumNetwork(name: EthereumChainName): EthereumNetwork {
  return createCustomNetwork(name, {
    chainId: FIRST_CHAIN_ID + chainNames.filter(isEthereumChain).indexOf(name),
    tokens: Object.fromEntries(
      tokenCodesOf(name).map((code, index) => [
        code,
        { address: `0x7e57${String(index + 1).padStart(36, '0')}`, decimals: cryptoCurrencies[code].decimals },
      ]),
    ),
  });
}

export const simulatedEthereumNetwork = findSimulatedEthereumNetwork('ethereum');

/** An amount paid to an address. */
export interface SimulatedOutput {
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
}

/** An output as stored. */
export interface StoredOutput extends SimulatedOutput {
  place: number;
  /** Null for outputs that are not visible in a block. */
  paymentKey: string | null;
}

/** Properties by which the kinds of simulated chains differ. */
export interface ChainKind {
  readonly name: ChainName;
  /** The coin that pays fees. */
  readonly feeCode: CryptoCurrencyCode;
  readonly currencies: readonly CryptoCurrencyCode[];
  readonly addresses: ChainAddresses;
  /** Prefix of hashes. */
  readonly hashPrefix: '' | '0x';
  /** Until another is set. */
  readonly initialFeeRate: FeeRate;
  /** True if transactions spend outputs, and depend on the transactions that created them. */
  readonly hasInputs: boolean;
  /** Adds the payment keys that the outputs of a transaction have on a real chain. */
  toStoredOutputs(txHash: string, outputs: readonly SimulatedOutput[]): StoredOutput[];
}

/** A chain of the Bitcoin family. */
export interface BitcoinKind extends ChainKind {
  readonly name: BitcoinChainName;
  readonly network: NetworkParameters;
}

export function createBitcoinKind(name: BitcoinChainName): BitcoinKind {
  const network = findSimulatedNetwork(name);
  const { feeCode } = chains[name];
  return {
    ...{ name, network, feeCode },
    currencies: [feeCode],
    addresses: createBitcoinAddresses(network),
    hashPrefix: '',
    initialFeeRate: { unit: 'sat/vB', amount: 5n },
    hasInputs: true,
    toStoredOutputs: (txHash, outputs) =>
      outputs.map((output, place) => ({ ...output, place, paymentKey: `${txHash}:${place}` })),
  };
}

const GWEI = 10n ** 9n;

/** A chain of the Ethereum family. */
export interface EthereumKind extends ChainKind {
  readonly name: EthereumChainName;
  readonly network: EthereumNetwork;
}

export function createEthereumKind(name: EthereumChainName): EthereumKind {
  const network = findSimulatedEthereumNetwork(name);
  const { feeCode } = network;
  return {
    ...{ name, network, feeCode },
    currencies: networkCurrencies(network),
    addresses: createEthereumAddresses(network),
    hashPrefix: '0x',
    initialFeeRate: { unit: 'wei/gas', amount: 11n * GWEI, priority: GWEI },
    hasInputs: false,
    toStoredOutputs(txHash, outputs) {
      if (outputs.filter(({ code }) => code === feeCode).length > 1)
        throw new RangeError('A transaction can send ether to one address only. Use `sendFromContract` for more.');
      let logs = 0;
      return outputs.map((output, place) => {
        const position = output.code === feeCode ? 'native' : String(logs++);
        return { ...output, place, paymentKey: `${txHash}:${position}` };
      });
    },
  };
}
