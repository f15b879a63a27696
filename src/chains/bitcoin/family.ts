import type { NetworkParameters } from '../../shared/chains/description.ts';
import { type BitcoinChainName, chains } from '../../shared/crypto-currency.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { type Family, requireDerivableAddresses, settingName } from '../family.ts';
import { type BitcoinSettings, bitcoinSettings } from './settings.ts';

/** Chains with Bitcoin's protocol, and native segwit accounts (BIP 84). */
export const bitcoinFamily: Family<BitcoinChainName, BitcoinSettings> = {
  settings: bitcoinSettings,

  // Test networks have coin type 1' (SLIP 44).
  accountPath: (name, { isTest }) => [84, isTest ? 1 : chains[name].coinType, 0],

  keyVersions(name, { isTest }) {
    const { extendedKeys }: NetworkParameters = chains[name].networks[isTest ? 'regtest' : 'mainnet'];
    const [versions] = extendedKeys;
    if (!versions) throw new Error(`The chain ${name} has no version bytes of extended keys.`);
    return versions;
  },

  async connect(name, { url, network: networkName, accountKey, origin: configuredOrigin }, { keys }) {
    const [
      { createBitcoinChain },
      { findNetwork },
      { accountDescriptor, parseAccountKey, parseOrigin, requireAccountKey },
    ] = await Promise.all([import('./chain.ts'), import('./networks.ts'), import('./account-key.ts')]);
    const network = findNetwork(name, networkName);
    const { name: title, feeCode: code } = chains[name];
    const origin = configuredOrigin === null ? (keys?.origin ?? null) : parseOrigin(configuredOrigin);
    const chain = createBitcoinChain({ url, network, code });
    const privateKey = keys?.privateKey ?? null;
    const spender = async () =>
      (await import('./spender.ts')).createBitcoinSpender({ network, accountKey, privateKey, origin });
    const networkTitle = networkName === 'mainnet' ? title : `${title} ${networkName}`;
    const account = { name, chain, network: networkTitle, accountKey, descriptor: null, spender } as const;
    requireDerivableAddresses(account);
    try {
      requireAccountKey(parseAccountKey(accountKey, network), origin);
    } catch (error) {
      throw new OperatorError(
        `${settingName(name, 'ACCOUNT_KEY')} is invalid: ${error instanceof Error ? error.message : ''}`,
        {
          cause: error,
        },
      );
    }
    if (
      origin &&
      keys &&
      (origin.fingerprint !== keys.origin.fingerprint || origin.path.join() !== keys.origin.path.join())
    )
      throw new OperatorError(
        `${settingName(name, 'ACCOUNT_ORIGIN')} does not match the origin of the seed’s account.`,
      );
    return { ...account, descriptor: () => accountDescriptor(accountKey, origin, network) };
  },

  async simulate(name, options, { accountKey, privateKey, origin }) {
    const [{ createSimulatedBitcoin }, { findSimulatedNetwork }, { accountDescriptor }] = await Promise.all([
      import('../simulated/bitcoin.ts'),
      import('../simulated/chain-kinds.ts'),
      import('./account-key.ts'),
    ]);
    const network = findSimulatedNetwork(name);
    return {
      chain: createSimulatedBitcoin({ ...options, name }),
      descriptor: () => accountDescriptor(accountKey, origin, network),
      spender: async () =>
        (await import('./spender.ts')).createBitcoinSpender({ network, accountKey, privateKey, origin }),
    };
  },
};
