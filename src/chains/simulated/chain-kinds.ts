import {
  type BitcoinChainName,
  type ChainName,
  chains,
  cryptoCurrencies,
  type CryptoCurrencyCode,
} from '../../shared/crypto-currency.ts';
import { createBitcoinAddresses } from '../bitcoin/addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { findNetwork } from '../bitcoin/networks.ts';
import { createEthereumAddresses } from '../ethereum/addresses.ts';
import { networkCurrencies, type EthereumNetwork, createCustomNetwork } from '../ethereum/networks.ts';
import { tokenCodes } from '../ethereum/tokens.ts';
import type { ChainAddresses, FeeRate } from '../port.ts';

/** The network of a simulated chain's addresses and keys. */
export function findSimulatedNetwork(name: BitcoinChainName): NetworkParameters {
  return findNetwork(name, 'regtest');
}

export const simulatedBitcoinNetwork = findSimulatedNetwork('bitcoin');

/** The network of the simulated Ethereum chain. Its token addresses have no contract on any real network. */
export const simulatedEthereumNetwork: EthereumNetwork = createCustomNetwork({
  chainId: 31_337,
  tokens: Object.fromEntries(
    tokenCodes.map((code, index) => [
      code,
      { address: `0x7e57${String(index + 1).padStart(36, '0')}`, decimals: cryptoCurrencies[code].decimals },
    ]),
  ),
});

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
  readonly code: CryptoCurrencyCode;
}

export function createBitcoinKind(name: BitcoinChainName): BitcoinKind {
  const network = findSimulatedNetwork(name);
  const { feeCode: code } = chains[name];
  return {
    ...{ name, network, code },
    currencies: [code],
    addresses: createBitcoinAddresses(network),
    hashPrefix: '',
    initialFeeRate: { unit: 'sat/vB', amount: 5n },
    hasInputs: true,
    toStoredOutputs: (txHash, outputs) =>
      outputs.map((output, place) => ({ ...output, place, paymentKey: `${txHash}:${place}` })),
  };
}

const GWEI = 10n ** 9n;

export const ethereumKind: ChainKind = {
  name: 'ethereum',
  currencies: networkCurrencies(simulatedEthereumNetwork),
  addresses: createEthereumAddresses(simulatedEthereumNetwork),
  hashPrefix: '0x',
  initialFeeRate: { unit: 'wei/gas', amount: 11n * GWEI, priority: GWEI },
  hasInputs: false,
  toStoredOutputs(txHash, outputs) {
    if (outputs.filter(({ code }) => code === 'eth').length > 1)
      throw new RangeError('A transaction can send ether to one address only. Use `sendFromContract` for more.');
    let logs = 0;
    return outputs.map((output, place) => {
      const position = output.code === 'eth' ? 'native' : String(logs++);
      return { ...output, place, paymentKey: `${txHash}:${position}` };
    });
  },
};
