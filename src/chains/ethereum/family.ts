import type { EthereumChain } from '../../shared/chains/description.ts';
import { chains, cryptoCurrencies, type EthereumChainName } from '../../shared/crypto-currency.ts';
import { type Family, requireDerivableAddresses } from '../family.ts';
import { type EthereumSettings, ethereumSettings } from './settings.ts';
import { tokenCodesOf } from './tokens.ts';

/** Chains with Ethereum's protocol, and accounts of BIP 44. */
export const ethereumFamily: Family<EthereumChainName, EthereumSettings> = {
  settings: ethereumSettings,

  accountPath: (name) => [44, chains[name].coinType, 0],

  async connect(name, { url, network: networkName, tokens, accountKey }, { clock, keys }) {
    const [{ createEthereumChain }, networks] = await Promise.all([import('./chain.ts'), import('./networks.ts')]);
    const contracts = Object.fromEntries(
      tokenCodesOf(name).flatMap((code) => {
        const address = tokens[code];
        return address === undefined ? [] : [[code, { address, decimals: cryptoCurrencies[code].decimals }]];
      }),
    );
    const network =
      typeof networkName === 'number'
        ? networks.createCustomNetwork(name, { chainId: networkName, tokens: contracts })
        : networks.findEthereumNetwork(name, networkName);
    const chain = createEthereumChain({ url, network, clock });
    const privateKey = keys?.privateKey ?? null;
    const spender = async () =>
      (await import('./spender.ts')).createEthereumSpender({ network, accountKey, privateKey, node: chain });
    return requireDerivableAddresses({
      ...{ name, chain, network: networkTitle(name, networkName), accountKey, descriptor: null, spender },
    });
  },

  async simulate(name, options, { accountKey, privateKey }) {
    const [{ createSimulatedEthereum }, { findSimulatedEthereumNetwork }] = await Promise.all([
      import('../simulated/ethereum.ts'),
      import('../simulated/chain-kinds.ts'),
    ]);
    const chain = createSimulatedEthereum({ ...options, name });
    const network = findSimulatedEthereumNetwork(name);
    return {
      chain,
      descriptor: null,
      spender: async () =>
        (await import('./spender.ts')).createEthereumSpender({ network, accountKey, privateKey, node: chain }),
    };
  },
};

function networkTitle(name: EthereumChainName, network: EthereumSettings['network']): string {
  const { name: title, networks }: EthereumChain = chains[name];
  return networks[network]?.title ?? `${title} (chain ${network})`;
}
