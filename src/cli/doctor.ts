import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { Kysely, SqliteDialect } from 'kysely';
import { checkAcquirers } from '../acquirers/check.ts';
import { createAccountStore } from '../acquirers/account-store.ts';
import { createAccountActions } from '../acquirers/accounts.ts';
import { checkBackups } from '../backup/check.ts';
import { checkChains } from '../chains/check.ts';
import { connectChains } from '../chains/connect.ts';
import { checkSettings } from '../check-settings.ts';
import { type Config, readConfig } from '../config.ts';
import { checkDatabase, checkReplication } from '../database/check.ts';
import { createDatabase, type Database } from '../database/database.ts';
import type { NoTables } from '../database/engine.ts';
import { openDatabase } from '../database/open.ts';
import { checkClock, checkProxy, checkTls } from '../http/check.ts';
import { checkMail } from '../mail/check.ts';
import { checkMigrations } from '../migrations/check.ts';
import { checkRates } from '../rates/check.ts';
import { chainNames } from '../shared/crypto-currency.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { type Check, type Finding, problem, worstOf } from '../system/diagnosis.ts';
import { systemRandom } from '../system/random.ts';
import { parseSealingKeys } from '../system/sealed.ts';
import { checkWebhooks } from '../webhooks/check.ts';
import { examples } from './examples.ts';
import { toFailure } from './failure.ts';
import { type Output, outputOption } from './output.ts';

/** A check that takes longer counts as a problem. */
const MAX_CHECK_MS = 30_000;

type NamedFinding = { check: string } & Finding;

export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, proxy, acquirers and backups, and suggest fixes; changes nothing')
    .addHelpText('after', '\nExit code 1 if there is a problem; warnings exit with 0.')
    .addHelpText('after', examples('npx paylatch doctor', 'npx paylatch doctor --output json'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      const findings = await diagnose(process.env);
      const status = worstOf(findings.map((finding) => finding.status));
      process.stdout.write(
        output === 'json' ? `${JSON.stringify({ status, checks: findings })}\n` : findings.map(textOf).join(''),
      );
      if (status === 'problem') process.exitCode = 1;
    });
}

/** Runs all checks with the settings of an environment. Invalid settings are the only finding if there are any. */
async function diagnose(env: Readonly<Record<string, string | undefined>>): Promise<NamedFinding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [{ check: 'settings', ...problem(toFailure(error).detail, 'Correct this setting: docs/settings.md.') }];
  }
  const database = openForChecks(config.databaseUrl);
  const { databaseReplicaUrl: replicaUrl } = config;
  const replica = replicaUrl === null ? null : openDatabase(replicaUrl, () => undefined, { maxConnections: 1 });
  try {
    const findings = [];
    for (const check of checks(config, { database, replica }, systemClock()))
      findings.push({ check: check.name, ...(await runCheck(check)) });
    return findings;
  } finally {
    await replica?.close();
    await database.close();
  }
}

function openForChecks(url: string): Database {
  try {
    const isMissing = url.startsWith('sqlite:') && !statSync(url.slice('sqlite:'.length), { throwIfNoEntry: false });
    // Not created: an empty database in memory has the same findings.
    return openDatabase(isMissing ? 'sqlite::memory:' : url, () => undefined, { maxConnections: 4 });
  } catch (error) {
    // The checks that query the database report the error.
    const dialect = new SqliteDialect({ database: async () => await Promise.reject(error) });
    return createDatabase('sqlite', new Kysely<NoTables>({ dialect }));
  }
}

/** All checks, in the order of the output: later ones depend on what earlier ones check. */
function checks(
  config: Config,
  { database, replica }: { database: Database; replica: Database | null },
  clock: Clock,
): Check[] {
  const { environment, publicUrl, databaseUrl, trustedProxies } = config;
  const isSandbox = environment === 'sandbox';
  const store = createAccountStore({ clock, random: systemRandom, environment, sealingKeys: parseSealingKeys(config) });
  return [
    checkSettings(config),
    checkDatabase(database, databaseUrl),
    checkReplication(database, replica),
    checkMigrations(environment, database),
    checkTls({ publicUrl, now: Date.now }),
    checkProxy({ publicUrl, trustedProxies, fetch }),
    checkClock({ database, publicUrl, fetch }),
    checkAcquirers({
      ...{ database, environment, store },
      actions: createAccountActions({ database, clock, random: systemRandom, environment, publicUrl, fetch, store }),
    }),
    checkRates({
      ...{ database, clock, isSandbox, ...config.rates },
      pricesCoins: chainNames.some((name) => config[name] !== null),
    }),
    checkChains({ database, clock, connect: async () => await connectChains(config, clock) }),
    checkWebhooks(database, clock),
    checkMail(database, config.mail),
    checkBackups({ database, clock, isSandbox }),
  ];
}

/** Runs a check; an error or a timeout is a problem, and the others still run. */
async function runCheck(check: Check): Promise<Finding> {
  const timer = Promise.withResolvers<Finding>();
  const timeout = setTimeout(
    () => timer.resolve(problem('No result within 30 seconds.', 'Check the connection to this part.')),
    MAX_CHECK_MS,
  );
  try {
    return await Promise.race([check.run(), timer.promise]);
  } catch (error) {
    const { detail } = toFailure(error);
    return problem(
      detail.replace(/ Check DATABASE_URL\.$/, ''),
      'Correct the cause, or the failed checks above, first.',
    );
  } finally {
    clearTimeout(timeout);
  }
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;

function textOf({ check, status, found, action }: NamedFinding, _index: number, all: readonly NamedFinding[]): string {
  const width = Math.max(...all.map((each) => each.check.length)) + 2;
  const indent = ' '.repeat(width + 2);
  return `${marks[status]} ${check.padEnd(width)}${found}\n${action === null ? '' : `${indent}→ ${action}\n`}`;
}
