import { findLastBackup } from './backup/check.ts';
import { readFreeBytes } from './database/check.ts';
import { type Database, pingDatabase } from './database/database.ts';
import { findOldestReview as findOldestCryptoReview } from './invoices/pending-reviews.ts';
import type { Job } from './jobs/runner.ts';
import { readMailBacklog } from './mail/outbox.ts';
import { findOldestReview } from './payments/review/oldest.ts';
import { HOUR, type Instant, MINUTE, toSeconds } from './shared/time.ts';
import type { Clock } from './system/clock.ts';
import type { Metrics } from './system/metrics.ts';
import { findOldestDue } from './webhooks/deliver.ts';

/** Measures the state of the installation for Prometheus, once a minute; the certificate once an hour. */
export function createGaugesJob({
  database,
  databaseUrl,
  certificateExpiryMs,
  clock,
  metrics,
}: {
  database: Database;
  databaseUrl: string;
  /** Null without a valid certificate. */
  certificateExpiryMs: () => Promise<number | null>;
  clock: Clock;
  metrics: Metrics;
}): Job {
  let measuredAt: Instant = 0;
  let certificateAt: Instant = 0;
  const secondsOf = (at: Instant | null) => (at === null ? 0 : toSeconds(at));
  return {
    name: 'gauges',
    intervalMs: 60_000,
    async runOnce() {
      const now = clock.now();
      if (now - measuredAt < MINUTE) return 0;
      measuredAt = now;
      const startedMs = performance.now();
      await pingDatabase(database);
      metrics.databaseRoundTrip.set((performance.now() - startedMs) / 1000);
      metrics.diskFree.set((await readFreeBytes(databaseUrl)) ?? 0);
      metrics.backup.set(secondsOf((await findLastBackup(database, now))?.at ?? null));
      metrics.oldestReview.set({ kind: 'payment' }, secondsOf(await findOldestReview(database)));
      metrics.oldestReview.set({ kind: 'crypto' }, secondsOf(await findOldestCryptoReview(database)));
      const due = await findOldestDue(database);
      metrics.webhooksOverdue.set(due === null ? 0 : toSeconds(Math.max(0, now - due)));
      const mail = await readMailBacklog(database);
      metrics.emailWaiting.set(mail.waiting);
      metrics.emailOverdue.set(mail.due === null ? 0 : toSeconds(Math.max(0, now - mail.due)));
      if (now - certificateAt >= HOUR) {
        certificateAt = now;
        // Not awaited: a proxy that does not respond must not delay a shutdown.
        void certificateExpiryMs().then((expiryMs) => metrics.certificate.set((expiryMs ?? 0) / 1000));
      }
      // Measurements do not count as work.
      return 0;
    },
  };
}
