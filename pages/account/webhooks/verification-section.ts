import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { Loader } from '../loader.ts';
import { factList, section } from '../parts.ts';

/** The merchant ID and public keys to verify webhooks. */
@customElement('verification-section')
export class VerificationSection extends AccountElement {
  readonly #keysLoader = new Loader(this, async (signal) => await this.context.api.getCallbackKeys({ signal }));

  override render() {
    const code = (text: string | number) => html`<code dir="ltr">${text}</code>`;
    const view = loadView(this.#keysLoader, this.i18n, {
      skeleton: () => skeletonRows(2),
      content: ({ merchant_id: merchantId, url, keys }) =>
        html`<div class="panel panel-body">
          ${factList([
            [this.text('webhooks.merchant_id'), code(merchantId)],
            ...keys.map((key) => [this.text('webhooks.public_key'), code(key.public_key)] as const),
            [this.text('webhooks.keys_url'), code(url)],
          ])}
        </div>`,
    });
    return section(
      'verification',
      this.text('webhooks.verification'),
      html`<p class="section-text">${this.text('webhooks.verification_text')}</p>
        ${view}`,
    );
  }
}
