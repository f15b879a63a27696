import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { LinkCreated, TransactionDetail } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { httpUrl } from '../../checkout/elements/http-url.ts';
import { copyButton } from '../copy-button.ts';
import { qrCard, shareActions } from '../link-sharing.ts';
import { button, factList } from '../parts.ts';
import type { Brand } from './brand.ts';
import { poster } from './poster.ts';
import { sendLink } from '../send-link.ts';

/**
 * A new payment link: copy, share, QR code and preview.
 *
 * @fires create-another
 */
@customElement('created-link')
export class CreatedLink extends AccountElement {
  @property({ attribute: false }) link!: LinkCreated;
  /** Detail of the transaction; null if it could not be read. */
  @property({ attribute: false }) detail: TransactionDetail | null = null;
  @property({ attribute: false }) brand!: Brand;

  async #send() {
    await sendLink(this.context, this.link.transaction_id, this.detail?.payer?.email ?? '');
  }

  #shareActions(url: string) {
    const { context, detail } = this;
    const amount = detail ? context.format.money(detail.amount_charged, detail.currency) : '';
    // The service sends the link itself, if it can.
    const send = context.account?.sendsEmail
      ? button(this.text('send_link.button'), () => void this.#send(), { icon: 'mail' })
      : undefined;
    return shareActions(context, { url, parts: [this.brand.name, detail?.descriptions ?? '', amount], send });
  }

  override render() {
    const url = httpUrl(this.link.value.link) ?? '';
    return html`<div class="created-content">
        <section class="panel">
          <div class="panel-body created-content">
            <p class="created-url" dir="ltr"><code>${url}</code></p>
            <div class="created-actions">
              ${copyButton(url, this.text('new_link.link'), this.i18n, 'primary')}
              ${button(this.text('new_link.open'), url, { icon: 'external-link', isExternal: true })}
            </div>
            ${this.#shareActions(url)}
            ${qrCard(this.context, url, this.link.transaction_id.replace(/[^\w.-]+/g, '_'))}
            ${this.#facts()}
          </div>
        </section>
        <div class="created-actions">
          ${button(this.text('new_link.another'), () => this.emit('create-another', null), { icon: 'plus' })}
          ${button(
            this.text('new_link.view_transaction'),
            this.context.merchantPath('transactions', this.link.transaction_id),
            { icon: 'receipt-text' },
          )}
        </div>
      </div>
      ${this.#preview(url)} ${this.#poster(url)}`;
  }

  #poster(url: string) {
    const { detail } = this;
    const { format } = this.context;
    return poster(
      {
        ...{ brand: this.brand, title: detail?.descriptions ?? '', url },
        amount: detail && format.money(detail.amount_charged, detail.currency),
        note: html`${this.text('new_link.expires')} ${format.dateTime(this.link.expires_at)}`,
      },
      this.i18n,
    );
  }

  #facts() {
    const { detail } = this;
    const { format } = this.context;
    const money = (amount?: number) => (amount === undefined ? null : format.money(amount, detail?.currency ?? ''));
    return factList([
      [this.text('new_link.buyer_pays'), money(detail?.amount_charged)],
      [this.text('new_link.net_amount'), money(detail?.amount_delivered)],
      [this.text('new_link.expires'), format.dateTime(this.link.expires_at)],
      [this.text('new_link.fields.transaction_id'), html`<bdi>${this.link.transaction_id}</bdi>`],
    ]);
  }

  /** The payment page, rendered by the service without scripts or working controls. */
  #preview(url: string) {
    if (url === '') return nothing;
    const previewUrl = `${new URL(url).pathname}/preview?${new URLSearchParams({ locale: this.i18n.locale })}`;
    return html`<section class="preview-side">
      <h2 class="hint preview-label">${this.text('new_link.preview')}</h2>
      <iframe class="preview" src=${previewUrl} title=${this.text('new_link.preview')} sandbox="allow-same-origin" loading="lazy"></iframe>
    </section>`;
  }
}
