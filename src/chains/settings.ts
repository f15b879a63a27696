import { type ChainName, chainNames, type chains, isBitcoinChain } from '../shared/crypto-currency.ts';
import type { SettingsOf } from '../system/settings.ts';
import { type BitcoinSettings, bitcoinSettings } from './bitcoin/settings.ts';
import { type EthereumSettings, ethereumSettings } from './ethereum/settings.ts';

interface FamilySettings {
  bitcoin: BitcoinSettings;
  ethereum: EthereumSettings;
}

/** Settings by chain; null if the chain has no node. */
export type ChainSettings = {
  [Name in ChainName]: FamilySettings[(typeof chains)[Name]['family']] | null;
};

const perChain = chainNames.map((name) => ({
  name,
  ...(isBitcoinChain(name) ? bitcoinSettings(name) : ethereumSettings(name)),
}));

export const chainSettings: SettingsOf<ChainSettings> = {
  declared: Object.assign({}, ...perChain.map(({ declared }) => declared)),
  read: (values) => Object.fromEntries(perChain.map(({ name, read }) => [name, read(values)])) as ChainSettings,
};
