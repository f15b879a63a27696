import type { Database } from '../database/database.ts';
import { formatInstant } from '../shared/time.ts';
import { type Check, ok, problem, warning } from '../system/diagnosis.ts';
import { db } from './schema.ts';

/** Endpoints that a finding names. */
const MAX_NAMED = 5;

/** Checks that no webhook endpoint fails or is disabled. */
export function checkWebhooks(database: Database): Check {
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
      if (failing.length === 0) return ok('No webhook endpoint is failing.');
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
      return failing.some(({ off_at: disabledAt }) => disabledAt !== null)
        ? problem(found, action)
        : warning(found, action);
    },
  };
}
