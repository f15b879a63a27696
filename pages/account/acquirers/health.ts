import { html, nothing, type TemplateResult } from 'lit';
import type { AcquirerAccount } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { factList, notice, tag, type Tone } from '../parts.ts';

type State = 'disabled' | 'disconnected' | 'failing' | 'recovering' | 'unrouted' | 'unused' | 'working';

const tones: Readonly<Record<State, Tone>> = {
  disabled: 'plain',
  disconnected: 'bad',
  failing: 'bad',
  recovering: 'warn',
  unrouted: 'warn',
  unused: 'plain',
  working: 'good',
};

/** The state of an account; if several apply, the most important one. */
function stateOf({ enabled, health, routes }: AcquirerAccount): State {
  if (!enabled) return 'disabled';
  if (health === null) return 'disconnected';
  if (health.circuit === 'open') return 'failing';
  if (health.circuit === 'half_open') return 'recovering';
  if (routes.length === 0) return 'unrouted';
  return health.calls === 0 ? 'unused' : 'working';
}

export function stateTag(account: AcquirerAccount, i18n: I18n): TemplateResult {
  const state = stateOf(account);
  return tag(i18n.text(`account.acquirers.states.${state}`), tones[state]);
}

/** A problem of the account to report to the manager: failing calls, unusable credentials, no routes. */
export function stateNotice(account: AcquirerAccount, i18n: I18n, format: Format): TemplateResult | typeof nothing {
  const state = stateOf(account);
  const text = (key: string, values = {}) => i18n.text(`account.acquirers.${key}`, values);
  if (state === 'disabled' || state === 'unused' || state === 'working') return nothing;
  const { health } = account;
  const failure = health?.last_failure;
  const hasOpenCircuit = state === 'failing' || state === 'recovering';
  const since = health?.circuit_since ?? null;
  return notice({
    icon: state === 'recovering' ? 'rotate-ccw' : 'triangle-alert',
    tone: tones[state],
    heading: text(`notices.${state}_title`),
    text: html`${text(`notices.${state}_text`)}
    ${hasOpenCircuit && failure ? html`<br />${text(`reasons.${failure.reason}`, { call: failure.call })}` : nothing}
    ${hasOpenCircuit && since !== null ? html`<br />${text('since')} ${format.dateTime(since)}` : nothing}`,
  });
}

/** Figures of an account. */
export function healthFacts(account: AcquirerAccount, i18n: I18n, format: Format): TemplateResult {
  const text = (key: string, values = {}) => i18n.text(`account.acquirers.${key}`, values);
  const { health, notifications, open_disputes: disputes } = account;
  const { last_received_at: lastWebhook, pending } = notifications;
  const failure = health?.last_failure ?? null;
  return factList([
    [text('response_rate'), responseRate(account, i18n, format)],
    [text('latency'), typeof health?.median_ms === 'number' ? latency(health.median_ms, i18n, format) : null],
    [
      text('calls_minute'),
      health &&
        (health.calls_per_minute === null
          ? format.number(health.calls_last_minute)
          : text('of_limit', {
              calls: format.number(health.calls_last_minute),
              limit: format.number(health.calls_per_minute),
            })),
    ],
    [text('last_failure'), failure && format.dateTime(failure.at)],
    [text('last_webhook'), lastWebhook === null ? text('no_webhook') : format.relativeTime(lastWebhook)],
    [text('pending'), pending === 0 ? null : format.number(pending)],
    [text('open_disputes'), format.number(disputes)],
  ]);
}

/** `98% of 120`; null if there were no calls. */
export function responseRate({ health }: AcquirerAccount, i18n: I18n, format: Format): string | null {
  if (typeof health?.success_rate !== 'number') return null;
  const values = { rate: format.percent(health.success_rate), calls: format.number(health.calls) };
  return i18n.text('account.acquirers.rate_of_calls', values);
}

/** `340 ms`. */
export function latency(ms: number, i18n: I18n, format: Format): string {
  return i18n.text('account.acquirers.ms', { ms: format.number(Math.round(ms)) });
}
