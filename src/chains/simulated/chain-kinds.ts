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
import { networkCurrencies, type EthereumNetwork, createLocalNetwork } from '../ethereum/networks.ts';
import { tokenCodes } from '../ethereum/tokens.ts';
import type { ChainAddresses, FeeRate } from '../port.ts';

/** The network whose addresses and keys a simulated chain of the bitcoin family has. */
export function findSimulatedNetwork(name: BitcoinChainName): NetworkParameters {
  return findNetwork(name, 'regtest');
}

export const simulatedBitcoinNetwork = findSimulatedNetwork('bitcoin');

/** The network that the simulated chain `ethereum` is. At these addresses of tokens there is nothing anywhere. */
export const simulatedEthereumNetwork: EthereumNetwork = createLocalNetwork({
  chainId: 31_337,
  tokens: Object.fromEntries(
    tokenCodes.map((code, index) => [
      code,
      { address: `0x7e57${String(index + 1).padStart(36, '0')}`, decimals: cryptoCurrencies[code].decimals },
    ]),
  ),
});

/** What is paid to an address. */
export interface SimulatedOutput {
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
}

/** The same as it is kept. */
export interface StoredOutput extends SimulatedOutput {
  place: number;
  /** null for what is not to be seen in its block. */
  paymentKey: string | null;
}

/** What tells one kind of simulated chain from the other, as far as both are kept alike. */
export interface ChainKind {
  readonly name: ChainName;
  readonly currencies: readonly CryptoCurrencyCode[];
  readonly addresses: ChainAddresses;
  /** What stands before the digits of a hash. */
  readonly hashPrefix: '' | '0x';
  /** Until another is set. */
  readonly initialFeeRate: FeeRate;
  /** Whether an output is an input of another transaction, which is nothing without it. */
  readonly hasInputs: boolean;
  /** Gives what one transaction pays the names that it has on a real chain. */
  toStoredOutputs(txHash: string, outputs: readonly SimulatedOutput[]): StoredOutput[];
}

/** A chain of the bitcoin family. */
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
      throw new RangeError('A transaction sends ether to one address; what contracts send besides is `transferInside`');
    let logs = 0;
    return outputs.map((output, place) => {
      const name = output.code === 'eth' ? 'native' : String(logs++);
      return { ...output, place, paymentKey: `${txHash}:${name}` };
    });
  },
};
