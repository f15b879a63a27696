import { type ChainName, chainNames } from '../shared/crypto-currency.ts';
import type { SettingsOf } from '../system/settings.ts';
import { familyFor } from './families.ts';
import type { NodeSettings } from './family.ts';

/** Settings by chain; null if the chain has no node. */
export type ChainSettings = Record<ChainName, NodeSettings | null>;

const perChain = chainNames.map((name) => ({ name, ...familyFor(name).settings(name) }));

export const chainSettings: SettingsOf<ChainSettings> = {
  declared: Object.assign({}, ...perChain.map(({ declared }) => declared)),
  read: (values) => Object.fromEntries(perChain.map(({ name, read }) => [name, read(values)])) as ChainSettings,
};
