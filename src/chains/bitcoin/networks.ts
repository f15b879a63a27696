import type { NetworkParameters } from '../../shared/chains/description.ts';
import { type BitcoinChainName, chainNames, chains, isBitcoinChain } from '../../shared/crypto-currency.ts';

const family = chainNames.filter(isBitcoinChain).map((name) => chains[name]);

/** Networks of all chains of the family. */
export const allNetworks: readonly NetworkParameters[] = family.flatMap(({ networks }) => Object.values(networks));

/** Chain names by the scheme of their payment URIs. */
export const chainTitles: Readonly<Record<string, string>> = Object.fromEntries(
  family.map(({ name, networks }) => [networks.mainnet.uriScheme, name]),
);

/** Finds a network by its name in the settings. Throws if the chain has none. */
export function findNetwork(chain: BitcoinChainName, name: string): NetworkParameters {
  const networks: Readonly<Record<string, NetworkParameters>> = chains[chain].networks;
  const network = networks[name];
  if (!network) throw new RangeError(`The chain ${chain} has no network ${name}.`);
  return network;
}
