import { html, type TemplateResult } from 'lit';
import type { WebhookEndpoint } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { tag } from '../parts.ts';

/** Number of deliveries that `recent` of an endpoint counts. */
const RECENT_LIMIT = 100;

/** An endpoint's state: disabled, failing or enabled. */
export function stateTag({ status, failing_since: failingSince }: WebhookEndpoint, i18n: I18n): TemplateResult {
  const text = (key: string) => i18n.text(`account.${key}`);
  if (status === 'disabled') return tag(text('statuses.endpoint.disabled'), 'bad', 'pause');
  if (failingSince !== null) return tag(text('webhooks.failing'), 'warn', 'triangle-alert');
  return tag(text('statuses.endpoint.enabled'), 'good', 'check');
}

/** Marks the endpoint that the preference `callback-url` sets. */
export function preferenceTag(): TemplateResult {
  return tag(html`<code dir="ltr">callback-url</code>`);
}

/** The number of finished deliveries that succeeded: `98 of 100 delivered`; null before the first. */
export function recentRate({ recent }: WebhookEndpoint, i18n: I18n, format: Format): string | null {
  const count = recent.delivered + recent.failed + recent.pending;
  if (count === 0) return null;
  const values = { delivered: format.number(recent.delivered), count: format.number(count) };
  return i18n.text('account.webhooks.recent_rate', values);
}

/** Failed deliveries: `isComplete` unless `recent`, which counts the last 100 of an endpoint, may not include all. */
export interface Failures {
  count: number;
  isComplete: boolean;
}

export function failuresOf(endpoints: readonly WebhookEndpoint[]): Failures {
  const recents = endpoints.map(({ recent }) => recent);
  return {
    count: recents.reduce((sum, { failed }) => sum + failed, 0),
    isComplete: recents.every(({ delivered, failed, pending }) => delivered + failed + pending < RECENT_LIMIT),
  };
}

/** The event types that an endpoint receives. */
export function eventTypes({ event_types: types }: WebhookEndpoint, i18n: I18n): TemplateResult | string {
  if (types === null) return i18n.text('account.webhooks.all_events');
  return html`<span class="endpoint-types">${types.map((type) => html`<code dir="ltr">${type.split('.').map((part, index) => (index === 0 ? part : html`.<wbr>${part}`))}</code> `)}</span>`;
}

/** The number of selected event types, in one line. */
export function eventTypeCount({ event_types: types }: WebhookEndpoint, i18n: I18n): string {
  return types === null
    ? i18n.text('account.webhooks.all_events')
    : i18n.text('account.webhooks.event_count', { count: types.length });
}
