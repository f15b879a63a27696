import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { Load } from '../load.ts';

/** The merchant ID and the public keys that a receiver verifies webhooks with. */
@customElement('verification-section')
export class VerificationSection extends AccountElement {
  readonly #keys = new Load(this, async (signal) => await this.context.api.getCallbackKeys({ signal }));

  override render() {
    return html`<section class="section" aria-labelledby="verification">
      <h2 class="section-heading" id="verification">${this.text('integration.verification')}</h2>
      <p class="section-text">${this.text('integration.verification_text')}</p>
      ${loadView(this.#keys, this.i18n, {
        skeleton: () => skeletonRows(2),
        shown: ({ merchant_id: merchantId, url, keys }) =>
          html`<div class="panel panel-body">
            <dl class="facts-list">
              <div><dt>${this.text('integration.merchant_id')}</dt><dd><code dir="ltr">${merchantId}</code></dd></div>
              ${keys.map(
                (key) =>
                  html`<div><dt>${this.text('integration.public_key')}</dt><dd><code dir="ltr">${key.public_key}</code></dd></div>`,
              )}
              <div><dt>${this.text('integration.keys_url')}</dt><dd><code dir="ltr">${url}</code></dd></div>
            </dl>
          </div>`,
      })}
    </section>`;
  }
}
