import type { Job } from '../jobs/runner.ts';
import { formatInstant, HOUR, type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { CredentialsCheck } from './adapter.ts';

/** Interval at which the job searches for due checks. */
const INTERVAL_MS = 10_000;
const RECHECK_AFTER: Instant = 6 * HOUR;
const RETRY_AFTER: Instant = 15 * MINUTE;

/** An enabled account of this process. */
export interface CheckableAccount {
  key: string;
  adapter: string;
  /** Stored form of the credentials, sealed or plain. Used only to detect that they were replaced. */
  credentials: string;
  /** Null if the account could not be connected. */
  check: (() => Promise<CredentialsCheck>) | null;
}

/** The result of an account's last check. */
interface AccountCheck extends CredentialsCheck {
  checkedAt: Instant;
}

/** Checks of accounts, as `/readyz` reports them: without names, keys or details. */
interface AcquirersReport {
  /** `none`: no account is set up. `unavailable`: no account works. `degraded`: some do not. */
  status: 'none' | 'unchecked' | 'available' | 'degraded' | 'unavailable';
  accounts: readonly { acquirer: string; status: AccountStatus; checked_at: string | null }[];
}

type AccountStatus = CredentialsCheck['result'] | 'unchecked';

/** Results of `check()` of each enabled account, in this process. */
export interface AccountChecks {
  report(): AcquirersReport;
  /** Checks each account at start, after its credentials change, and then every few hours. */
  job: Job;
}

export function createAccountChecks(options: {
  /** Lists the enabled accounts. */
  list: () => readonly CheckableAccount[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): AccountChecks {
  const { list, clock, log, metrics } = options;
  const results = new Map<string, AccountCheck & Pick<CheckableAccount, 'credentials'>>();
  const resultOf = ({ key, credentials }: CheckableAccount) => {
    const result = results.get(key);
    return result?.credentials === credentials ? result : null;
  };
  const isDue = (account: CheckableAccount) => {
    const result = resultOf(account);
    if (!result) return true;
    return clock.now() >= result.checkedAt + (result.result === 'ok' ? RECHECK_AFTER : RETRY_AFTER);
  };

  const run = async (account: CheckableAccount): Promise<void> => {
    const before = results.get(account.key);
    const result = { ...(await checkAccount(account, log)), checkedAt: clock.now() };
    results.set(account.key, { ...result, credentials: account.credentials });
    const { adapter: acquirer, key } = account;
    if (result.result !== 'ok' && before?.result !== result.result)
      log.error({ account: key, acquirer, detail: result.detail }, 'acquirer account failed its check');
    else if (result.result === 'ok' && before && before.result !== 'ok')
      log.info({ account: key, acquirer }, 'acquirer account works again');
    updateMetric();
  };
  const statusOf = (account: CheckableAccount): AccountStatus => resultOf(account)?.result ?? 'unchecked';
  const updateMetric = () => {
    metrics.acquirerAccounts.reset();
    for (const account of list())
      metrics.acquirerAccounts.inc({ acquirer: account.adapter, status: statusOf(account) });
  };

  return {
    report() {
      updateMetric();
      const accounts = list().map((account) => {
        const checkedAt = resultOf(account)?.checkedAt;
        return {
          acquirer: account.adapter,
          status: statusOf(account),
          checked_at: checkedAt === undefined ? null : formatInstant(checkedAt),
        };
      });
      return { status: summaryOf(accounts.map(({ status }) => status)), accounts };
    },
    job: {
      name: 'acquirer checks',
      intervalMs: INTERVAL_MS,
      claimsAll: true,
      hasWork: () => Promise.resolve(list().some(isDue)),
      async runOnce() {
        const due = list().filter(isDue);
        await Promise.all(due.map(run));
        return due.length;
      },
    },
  };
}

async function checkAccount({ check, key }: CheckableAccount, log: Log): Promise<CredentialsCheck> {
  if (!check) return { result: 'failed', detail: 'The account could not be connected. The log shows the cause.' };
  try {
    return await check();
  } catch (error) {
    log.warn({ account: key, error: describeError(error) }, 'acquirer account could not be checked');
    return { result: 'unreachable', detail: 'The acquirer returned no valid response.' };
  }
}

function summaryOf(statuses: readonly AccountStatus[]): AcquirersReport['status'] {
  if (statuses.length === 0) return 'none';
  if (statuses.includes('ok')) return statuses.every((status) => status === 'ok') ? 'available' : 'degraded';
  return statuses.includes('unchecked') ? 'unchecked' : 'unavailable';
}
