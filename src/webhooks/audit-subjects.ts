import type { AuditSubjects, ReadSubject } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { endpointIdOf, findEndpointById, parseEventTypes, statusOf } from './endpoint.ts';

/** The endpoints of audited operations, without secrets. Read-only. */
export function webhookAuditSubjects(database: Database): AuditSubjects {
  const endpoint: ReadSubject = async ({ merchantId, body, response }) => {
    const { id } = { ...(response as object | undefined), ...(body as object) } as { id?: string };
    if (id === undefined) return { subject: null, state: null };
    const stored = await findEndpointById(database, merchantId, id);
    if (!stored) return { subject: `webhook endpoint ${id}`, state: null };
    const { url, description } = stored;
    return {
      subject: `webhook endpoint ${endpointIdOf(stored)}`,
      state: { url, description, event_types: parseEventTypes(stored), status: statusOf(stored) },
    };
  };
  return {
    addWebhookEndpoint: endpoint,
    updateWebhookEndpoint: endpoint,
    removeWebhookEndpoint: endpoint,
    rotateWebhookEndpointSecret: endpoint,
    testWebhookEndpoint: endpoint,
    redeliverFailedCallbacks: endpoint,
  };
}
