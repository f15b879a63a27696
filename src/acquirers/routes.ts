import { Hono } from 'hono';
import { Problem } from '../api/problem-error.ts';
import { readBytes } from '../http/body.ts';
import type { HttpEnv } from '../http/context.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { NotificationInbox } from './inbox.ts';
import { type Acquirers, webhookPath } from './registry.ts';

/**
 * Receives webhooks of acquirers, one URL for each account. A webhook is acknowledged once its notifications are
 * stored; the acquirer sends it again otherwise.
 */
export function acquirerWebhookRoutes({
  acquirers,
  inbox,
  clock,
  log,
  metrics,
}: {
  acquirers: Pick<Acquirers, 'find'>;
  inbox: NotificationInbox;
  clock: Clock;
  log: Log;
  metrics: Metrics;
}): Hono<HttpEnv> {
  return new Hono<HttpEnv>().post(webhookPath(':accountKey'), async (http) => {
    const key = http.req.param('accountKey') ?? '';
    const account = acquirers.find(key);
    if (!account?.parseWebhook) throw new Problem('not_found', 'No acquirer account has this webhook URL.');
    const rawBody = await readBytes(http);
    const parsed = account.parseWebhook({ rawBody, headers: http.req.raw.headers, now: clock.now() });
    const result = parsed.kind === 'accepted' ? 'accepted' : parsed.reason;
    metrics.acquirerWebhooks.inc({ acquirer: account.adapter, result });
    if (parsed.kind === 'rejected') {
      log.warn({ account: key, reason: parsed.reason }, 'acquirer webhook rejected');
      throw parsed.reason === 'bad_signature'
        ? new Problem(
            'unauthorized',
            'The webhook has no valid signature. Compare the account’s webhook secret with the one in the acquirer’s dashboard.',
          )
        : new Problem('malformed_request', 'The webhook has an unexpected format.');
    }
    if (!(await inbox.store(account, parsed.notifications)))
      throw new Problem('not_found', 'No acquirer account has this webhook URL.');
    const { body, contentType } = parsed.response ?? { body: '', contentType: 'text/plain' };
    return http.body(body, 200, { 'Content-Type': contentType });
  });
}
