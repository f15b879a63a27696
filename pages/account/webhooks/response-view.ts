import { html, nothing, type TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { Format } from '../format.ts';
import { tag } from '../parts.ts';

interface AttemptResponse {
  url?: string | null;
  status: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
}

/** The HTTP status of a response. */
export function responseText(status: number | null, i18n: I18n): unknown {
  return status === null ? i18n.text('account.webhooks.no_response') : html`<span dir="ltr">HTTP ${status}</span>`;
}

/** True for a delivered webhook. */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The endpoint's response to a delivery attempt. Third-party content, shown as text. */
export function responseView(i18n: I18n, format: Format, response: AttemptResponse): TemplateResult {
  const { url = null, status, duration_ms: duration, error, response_body: body } = response;
  const text = (key: string) => i18n.text(`account.webhooks.${key}`);
  return html`<dl class="fact-list">
      ${url === null ? nothing : html`<div><dt>${text('url')}</dt><dd><code dir="ltr">${url}</code></dd></div>`}
      <div><dt>${text('status')}</dt><dd>${tag(responseText(status, i18n), isSuccess(status) ? 'good' : 'bad')}</dd></div>
      <div><dt>${text('duration')}</dt><dd class="tabular">${format.milliseconds(duration)}</dd></div>
      ${error === null ? nothing : html`<div><dt>${text('error')}</dt><dd dir="auto">${error}</dd></div>`}
    </dl>
    ${
      body === null || body === ''
        ? nothing
        : html`<div class="response">
            <p class="hint">${text('response_body')}</p>
            <pre class="code" tabindex="0" role="group" dir="auto" aria-label=${text('response_body')}>${body}</pre>
          </div>`
    }`;
}
