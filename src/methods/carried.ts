import type { Config } from '../platform/config.ts';
import type { CanCarry } from './availability.ts';

/** The methods that the providers of a configuration carry, for commands, which start no provider. */
export function carriedMethods({
  environment,
  bitcoin,
  ethereum,
}: Pick<Config, 'environment' | 'bitcoin' | 'ethereum'>): CanCarry {
  const hasChain = bitcoin !== null || ethereum !== null;
  return ({ action }) => environment === 'sandbox' || (action === 'crypto' && hasChain);
}
