import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { LinkCreated, TransactionDetail } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { httpUrl } from '../../checkout/elements/http-url.ts';
import { renderPng, download } from '../../checkout/methods/save-image.ts';
import '../../checkout/elements/qr-code.ts';
import { copyButton } from '../copy-button.ts';
import { button, factList } from '../parts.ts';
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
  /** Name on the poster. */
  @property({ attribute: false }) merchantName = '';

  async #save(kind: 'svg' | 'png') {
    try {
      const { qrPath } = await import('../../checkout/elements/qr-path.ts');
      const path = qrPath(this.link.value.link);
      const name = `${this.link.transaction_id.replace(/[^\w.-]+/g, '_')}.${kind}`;
      if (kind === 'png') download(await renderPng(path), name);
      else {
        const { size, d } = path;
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${d}"/></svg>\n`;
        download(new Blob([svg], { type: 'image/svg+xml' }), name);
      }
    } catch {
      this.context.announce(this.i18n.text('instructions.qr_save_failed'));
    }
  }

  async #send() {
    await sendLink(this.context, this.link.transaction_id, this.detail?.payer?.email ?? '');
  }

  async #share() {
    try {
      await navigator.share({ url: this.link.value.link, title: this.detail?.descriptions ?? '' });
    } catch {
      // The user canceled the share dialog.
    }
  }

  /** Links that open a message with the payment link in the user's email program or messenger. */
  #shareLinks(url: string) {
    const { detail } = this;
    const amount = detail ? this.context.format.money(detail.amount_charged, detail.currency) : '';
    const message = [this.merchantName, detail?.descriptions ?? '', amount].filter((part) => part !== '').join(' · ');
    const query = (values: Record<string, string>) =>
      Object.entries(values)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
    const lines = `${message}\n${url}`;
    // The service sends the link itself, if it can.
    const send = this.context.account?.sendsEmail
      ? [button(this.text('send_link.button'), () => void this.#send(), { icon: 'mail' })]
      : [];
    const links = [
      [this.text('new_link.email'), `mailto:?${query({ subject: message, body: lines.replace('\n', '\r\n') })}`],
      ['WhatsApp', `https://wa.me/?${query({ text: lines })}`],
      ['Telegram', `https://t.me/share/url?${query({ url, text: message })}`],
    ] as const;
    const shown = links.slice(send.length);
    return [...send, ...shown.map(([name, href]) => button(name, href, { isExternal: true }))];
  }

  override render() {
    const url = httpUrl(this.link.value.link) ?? '';
    const { format } = this.context;
    return html`<section class="panel">
        <div class="panel-body created">
          <div class="created-content">
            <p class="created-url" dir="ltr"><code>${url}</code></p>
            <div class="created-actions">
              ${copyButton(url, this.text('new_link.link'), this.i18n, 'primary')}
              ${button(this.text('new_link.open'), url, { icon: 'external-link', isExternal: true })}
            </div>
            <div class="created-actions" role="group" aria-label=${this.text('new_link.share')}>
              ${this.#shareLinks(url)}
              ${
                'share' in navigator
                  ? button(this.text('new_link.share'), () => void this.#share(), { icon: 'share-2' })
                  : nothing
              }
            </div>
            ${this.#facts()}
            <p class="hint">${this.text('new_link.expires')} ${format.dateTime(this.link.expires_at)}</p>
          </div>
          <div class="qr-card">
            <qr-code .value=${url} .label=${this.text('new_link.qr_label')}></qr-code>
            <div class="qr-actions">
              ${button(html`SVG`, () => void this.#save('svg'), { icon: 'download' })}
              ${button(html`PNG`, () => void this.#save('png'), { icon: 'download' })}
              ${button(this.text('new_link.poster'), () => print(), { icon: 'file-text' })}
            </div>
          </div>
        </div>
      </section>
      <div class="created-actions">
        ${button(this.text('new_link.another'), () => this.emit('create-another', null), { icon: 'plus' })}
        ${button(this.text('new_link.view_transaction'), this.context.merchantPath('transactions', this.link.transaction_id))}
      </div>
      ${this.#preview(url)} ${this.#poster(url)}`;
  }

  #poster(url: string) {
    const { detail } = this;
    const { format } = this.context;
    return poster(
      {
        ...{ merchant: this.merchantName, title: detail?.descriptions ?? '', url },
        amount: detail && format.money(detail.amount_charged, detail.currency),
        note: html`${this.text('new_link.expires')} ${format.dateTime(this.link.expires_at)}`,
      },
      this.i18n,
    );
  }

  #facts() {
    const { detail } = this;
    if (!detail) return nothing;
    const money = (amount: number) => this.context.format.money(amount, detail.currency);
    return factList([
      [this.text('new_link.buyer_pays'), money(detail.amount_charged)],
      [this.text('new_link.net_amount'), money(detail.amount_delivered)],
      [this.text('new_link.fields.transaction_id'), html`<bdi>${detail.transaction_id}</bdi>`],
    ]);
  }

  /** The payment page, rendered by the service without scripts or working controls. */
  #preview(url: string) {
    if (url === '') return nothing;
    const previewUrl = `${new URL(url).pathname}/preview?${new URLSearchParams({ locale: this.i18n.locale })}`;
    return html`<section class="section">
      <h2 class="section-heading">${this.text('new_link.preview')}</h2>
      <p class="section-text">${this.text('new_link.preview_text')}</p>
      <iframe class="preview" src=${previewUrl} title=${this.text('new_link.preview')} sandbox="allow-same-origin" loading="lazy"></iframe>
    </section>`;
  }
}
