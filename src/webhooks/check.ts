import type { Database } from '../database/database.ts';
import { formatInstant, type Instant, MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';
import { findOldestDue } from './deliver.ts';
import { db } from './schema.ts';

/** Endpoints that a finding names. */
const MAX_NAMED = 5;
/** As in the alert PaylatchWebhookBacklog. */
const MAX_OVERDUE: Instant = 5 * MINUTE;

/** Checks that due webhooks are sent, and that no endpoint fails or is disabled. */
export function checkWebhooks(database: Database, clock: Clock): Check {
  return {
    name: 'webhooks',
    run: async () => {
      const failing = await db(database)
        .selectFrom('webhook_endpoints')
        .select(['merchant_id', 'endpoint_key', 'failing_since', 'off_at'])
        .where('failing_since', 'is not', null)
        .where('removed_at', 'is', null)
        .orderBy('failing_since')
        .execute();
      const backlog = await backlogFinding(database, clock);
      if (failing.length === 0) return combine([backlog, ok('No webhook endpoint is failing.')]);
      const named = failing
        .slice(0, MAX_NAMED)
        .map(({ merchant_id: id, endpoint_key: endpoint, failing_since: since, off_at: disabledAt }) => {
          const state = disabledAt === null ? 'failing' : 'disabled, failing';
          return `merchant ${id}${endpoint === null ? '' : `, endpoint ${endpoint}`} (${state} since ${formatInstant(since ?? 0)})`;
        });
      const more = failing.length > MAX_NAMED ? ` and ${failing.length - MAX_NAMED} more` : '';
      const found = `Webhook endpoints fail: ${named.join(', ')}${more}.`;
      const action =
        'Ask the merchant; see the responses with: npx paylatch webhooks list --merchant ID. Redelivery enables an endpoint.';
      const isDisabled = failing.some(({ off_at: disabledAt }) => disabledAt !== null);
      return combine([backlog, isDisabled ? problem(found, action) : warning(found, action)]);
    },
  };
}

async function backlogFinding(database: Database, clock: Clock): Promise<Finding> {
  const dueAt = await findOldestDue(database);
  const overdue = dueAt === null ? 0 : clock.now() - dueAt;
  if (overdue <= MAX_OVERDUE) return ok('No webhook is overdue.');
  return problem(
    `A due webhook has not been sent for ${Math.floor(overdue / MINUTE)} minutes.`,
    'Check that the service runs, and its log for failing jobs.',
  );
}
