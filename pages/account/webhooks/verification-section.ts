import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { copyable } from '../copy-button.ts';
import { Loader } from '../loader.ts';
import { factList, section } from '../parts.ts';

/** The merchant ID and public keys to verify webhooks. */
@customElement('verification-section')
export class VerificationSection extends AccountElement {
  readonly #keysLoader = new Loader(this, async (signal) => await this.context.api.getCallbackKeys({ signal }));

  override render() {
    const fact = (key: string, value: string | number) => {
      const name = this.text(`webhooks.${key}`);
      return [name, copyable(String(value), name, this.i18n)] as const;
    };
    const view = loadView(this.#keysLoader, this.i18n, {
      skeleton: () => skeletonRows(2),
      content: ({ merchant_id: merchantId, url, keys }) =>
        html`<div class="panel panel-body">
          ${factList([
            fact('merchant_id', merchantId),
            ...keys.map((key) => fact('public_key', key.public_key)),
            fact('keys_url', url),
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
