import type { Config } from './config.ts';
import { type Check, combine, type Finding, ok, warning } from './system/diagnosis.ts';

/** Checks valid settings for choices that are unsafe in production. `readConfig` rejects invalid ones. */
export function checkSettings(config: Config): Check {
  return {
    name: 'settings',
    run: async () => {
      await Promise.resolve();
      if (config.environment === 'sandbox') return ok('All settings are valid. This is a sandbox.');
      return combine([ok('All settings are valid.'), ...productionFindings(config)]);
    },
  };
}

function productionFindings({ sealingKeys, securityContacts, logLevel, databaseUrl, limits }: Config): Finding[] {
  const unlimited = Object.entries(limits).flatMap(([name, { amount }]) => (amount === 0 ? [name] : []));
  return [
    ...(sealingKeys.length === 0
      ? [warning('Secrets are stored unsealed.', 'Set SEALING_KEY (openssl rand -hex 32).')]
      : []),
    ...(securityContacts.length === 0
      ? [warning('Security researchers cannot find a contact.', 'Set SECURITY_CONTACT.')]
      : []),
    ...(/^(?:trace|debug)$/.test(logLevel)
      ? [warning(`LOG_LEVEL=${logLevel} writes large logs.`, 'Set LOG_LEVEL=info.')]
      : []),
    ...(databaseUrl.startsWith('sqlite:')
      ? [
          warning(
            'SQLite serves one process on one machine.',
            'To survive the failure of a machine, move to PostgreSQL: npx paylatch database move',
          ),
        ]
      : []),
    ...(unlimited.length > 0
      ? [warning(`No rate limit: ${unlimited.join(', ')}.`, 'Set the LIMIT_… settings above 0.')]
      : []),
  ];
}
