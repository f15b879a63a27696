import { html, nothing, type TemplateResult } from 'lit';
import type { Callback, CallbackAttempt, CallbackDetail } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { type AccountContext, hasScope } from '../context.ts';
import { expandableRow } from '../expandable-row.ts';
import type { Format } from '../format.ts';
import { responseView } from './response-view.ts';

/** A webhook's payload and its delivery attempts, newest first, with requests and responses as text. */
export function deliveryDetail(i18n: I18n, format: Format, { attempts, payload }: CallbackDetail): TemplateResult {
  const text = (key: string) => i18n.text(`account.${key}`);
  return html`${
    payload === null
      ? html`<p class="hint">${text('webhooks.payload')}: ${text('webhooks.no_payload')}</p>`
      : expandableRow({
          head: html`<span class="row-content">${text('webhooks.payload')}</span>`,
          isOpen: true,
          content: html`<pre class="code payload" tabindex="0" role="group" dir="ltr" aria-label=${text('webhooks.payload')}>${JSON.stringify(payload, null, 2)}</pre>`,
        })
  }
  ${
    attempts.length === 0
      ? html`<p class="hint">${text('webhooks.no_attempt')}</p>`
      : html`<ol class="attempts">
          ${attempts.toReversed().map((attempt) => html`<li class="attempt">${attemptView(i18n, format, attempt)}</li>`)}
        </ol>`
  }`;
}

/** A link to the payment of a webhook; null for other webhooks, and without the right to see payments. */
export function paymentLink({ type, transaction_id: reference }: Callback, context: AccountContext) {
  const [, kind] = /^(fiat|crypto\.transaction)\./.exec(type) ?? [];
  if (kind === undefined || !hasScope(context, 'transaction:read')) return null;
  const query = new URLSearchParams({ kind: 'crypto', search: reference });
  const url =
    kind === 'fiat'
      ? context.merchantPath('transactions', reference)
      : `${context.merchantPath('transactions')}?${query}`;
  return html`<a class="link" href=${url}><bdi>${reference}</bdi></a>`;
}

function attemptView(i18n: I18n, format: Format, attempt: CallbackAttempt): TemplateResult {
  return html`<p class="attempt-head">
      <strong>${i18n.text('account.webhooks.attempt', { number: attempt.number })}</strong> ·
      ${format.dateTime(attempt.at)}
    </p>
    ${responseView(i18n, format, attempt)}
    ${headersView(i18n.text('account.webhooks.request_headers'), attempt.request_headers)}
    ${headersView(i18n.text('account.webhooks.response_headers'), attempt.response_headers ?? [])}`;
}

function headersView(label: string, headers: CallbackAttempt['request_headers']) {
  if (headers.length === 0) return nothing;
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  return expandableRow({
    head: html`<span class="row-content">${label}</span>`,
    content: html`<pre class="code" tabindex="0" role="group" dir="ltr" aria-label=${label}>${lines}</pre>`,
  });
}
