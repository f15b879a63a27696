import { chainNames } from '../shared/crypto-currency.ts';
import type { ChainSettings, Config } from '../system/config.ts';
import type { CanCarry } from './availability.ts';

/** The methods that the providers of a configuration carry, for commands, which start no provider. */
export function carriedMethods({ environment, ...chains }: Pick<Config, 'environment'> & ChainSettings): CanCarry {
  const hasChain = chainNames.some((name) => chains[name] !== null);
  return ({ action }) => environment === 'sandbox' || (action === 'crypto' && hasChain);
}
