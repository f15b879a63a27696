import { type ChainName, chains } from '../shared/crypto-currency.ts';
import type { ChainFamily } from '../shared/chains/description.ts';
import { bitcoinFamily } from './bitcoin/family.ts';
import { ethereumFamily } from './ethereum/family.ts';
import type { Family } from './family.ts';

/** One line for each family. */
const families: Readonly<Record<ChainFamily, Family>> = { bitcoin: bitcoinFamily, ethereum: ethereumFamily };

export function familyFor(name: ChainName): Family {
  return families[chains[name].family];
}
