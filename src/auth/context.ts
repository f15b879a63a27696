import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database } from '../database/database.ts';
import type { Mailer } from '../mail/outbox.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { Random } from '../system/random.ts';
import type { SealingKey } from '../system/sealed.ts';
import { createPasskeys, type Passkeys } from './passkeys.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createSecondFactors, type SecondFactors } from './second-factor.ts';

/** Dependencies of user authentication. */
export interface AuthContext {
  database: Database;
  clock: Clock;
  random: Random;
  environment: Environment;
  publicUrl: string;
  /** True if the public URL uses HTTPS. */
  https: boolean;
  enforceRateLimit: EnforceRateLimit;
  mailer: Mailer;
  passwords: Passwords;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
}

export function createAuthContext(
  options: Omit<AuthContext, 'passwords' | 'secondFactors' | 'passkeys' | 'https'> & {
    serviceKey: Uint8Array;
    sealingKeys: readonly SealingKey[];
    passwordCost?: Parameters<typeof createPasswords>[1];
  },
): AuthContext {
  const { serviceKey, sealingKeys, passwordCost, ...rest } = options;
  return {
    ...rest,
    https: options.publicUrl.startsWith('https:'),
    passwords: createPasswords(options.random, passwordCost),
    secondFactors: createSecondFactors(options.random, serviceKey, sealingKeys),
    passkeys: createPasskeys({ ...rest, serviceKey }),
  };
}
