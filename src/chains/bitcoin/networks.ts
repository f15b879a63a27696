import type { NetworkParameters } from '../../shared/chains/description.ts';
import { type BitcoinChainName, chainNames, chains, isBitcoinChain } from '../../shared/crypto-currency.ts';

const family = chainNames.filter(isBitcoinChain).map((name) => chains[name]);

/** The networks of every chain of the family. */
export const allNetworks: readonly NetworkParameters[] = family.flatMap(({ networks }) => Object.values(networks));

/** The name of a chain, by the scheme of its payment URIs. */
export const chainTitles: Readonly<Record<string, string>> = Object.fromEntries(
  family.map(({ name, networks }) => [networks.mainnet.uriScheme, name]),
);

/** The parameters of a network by its name in the settings. */
export function findNetwork(chain: BitcoinChainName, name: string): NetworkParameters {
  const networks: Readonly<Record<string, NetworkParameters>> = chains[chain].networks;
  const network = networks[name];
  if (!network) throw new RangeError(`There is no network ${name} of ${chain}`);
  return network;
}
