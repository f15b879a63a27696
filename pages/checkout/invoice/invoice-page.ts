import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import { Announcer } from '../elements/announcer.ts';
import { type Clock, stoppedClock } from '../elements/clock.ts';
import { fadeIn } from '../elements/fade-in.ts';
import { LightElement } from '../elements/light-element.ts';
import { simulatorLink } from '../elements/simulator-link.ts';
import { statusIcon } from '../elements/status-icon.ts';
import { coinPayment } from '../methods/coin-payment.ts';
import { coinParts, formatCoins } from './coins.ts';
import { httpUrl } from '../elements/http-url.ts';
import { invoiceActions, invoiceDisplay, invoiceFacts, type InvoiceDisplay } from './invoice-displays.ts';
import type { InvoiceView } from './invoice-view.ts';
import '../elements/expiry-countdown.ts';
import '../elements/language-picker.ts';
import '../elements/page-notice.ts';
import '../elements/payment-summary.ts';
import '../elements/status-panel.ts';

/**
 * The page of a crypto invoice: merchant, amount, payment instructions and status.
 *
 * @fires refresh-state - the deadline has passed on this page's clock
 * @fires language-select - `detail` is the selected BCP 47 tag
 */
@customElement('invoice-page')
export class InvoicePage extends LightElement {
  @property({ attribute: false }) view: InvoiceView | null = null;
  @property({ attribute: false }) clock: Clock = stoppedClock;
  /** Available BCP 47 tags. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** Current language, one of `languages`. */
  @property({ attribute: false }) language = '';

  readonly #announcer = new Announcer(this);

  protected override updated(changed: PropertyValues<this>) {
    const before = changed.get('view');
    if (before && this.view) this.#announceChange(before, this.view);
  }

  /** Announces a change, and moves the focus to it unless another element still has the focus. */
  #announceChange(before: InvoiceView, after: InvoiceView) {
    const { state } = after;
    const isNewPhase = before.state.phase !== state.phase;
    const isFirstBlock = before.state.confirmations?.seen === 0 && (state.confirmations?.seen ?? 0) > 0;
    if (isNewPhase) void fadeIn(this, '.pane-payment');
    if (isNewPhase || isFirstBlock) {
      const { heading, text } = invoiceDisplay(state, this.i18n) ?? this.#replacedNotice(state) ?? {};
      if (heading !== undefined) this.#announce(`${heading}. ${text}`);
      if (isNewPhase) void this.#focusChange();
    } else if (after.isOffline && !before.isOffline) this.#announce(this.i18n.text('page.offline_status'));
  }

  async #focusChange() {
    await this.updateComplete;
    const { activeElement } = document;
    if (activeElement && activeElement !== document.body) return;
    const element = this.querySelector('status-panel') ?? this.querySelector('page-notice');
    await element?.updateComplete;
    element?.focus();
  }

  #announce(text: string) {
    this.#announcer.announce(text);
  }

  override render() {
    const { view, i18n } = this;
    if (!view) return nothing;
    const { state } = view;
    return html`
      <p class="visually-hidden" role="status" aria-live="polite">${this.#announcer.text}</p>
      <div class="page" role="main" @announce=${(event: CustomEvent<string>) => this.#announce(event.detail)}>
        <section class="pane pane-summary" aria-label=${i18n.text('page.summary')}>${this.#summary(view)}</section>
        <section class="pane pane-payment" aria-label=${i18n.text('page.payment')}>
          ${view.isOffline ? html`<page-notice .icon=${'offline'} .lines=${[i18n.text('page.offline_status')]}></page-notice>` : nothing}
          ${this.#status(state)} ${this.#instructions(view)}
          ${simulatorLink(state.simulatorUrl, i18n.text('invoice.simulator'))}
          <a class=${state.phase === 'restricted' ? 'button' : 'button plain-only'} href="">${i18n.text('page.reload')}</a>
          <language-picker .i18n=${i18n} .languages=${this.languages} .chosen=${this.language}></language-picker>
        </section>
      </div>
    `;
  }

  #summary({ state }: InvoiceView) {
    const { i18n } = this;
    const { merchant, amount, sandbox } = state;
    const parts =
      amount === null
        ? [{ type: 'literal' as const, value: i18n.text('invoice.any_amount') }]
        : coinParts(amount, state);
    return html`${sandbox ? html`<p class="sandbox">${i18n.text('page.sandbox')}</p>` : nothing}
      <payment-summary
        .i18n=${i18n}
        .merchantName=${merchant.name}
        .logoUrl=${merchant.logoUrl}
        .amount=${parts}
        .description=${state.description ?? this.#reference(state)}
      ></payment-summary>
      ${this.#value(state)}`;
  }

  #reference({ reference }: InvoicePageState): string | null {
    return reference === null ? null : `${this.i18n.text('page.reference')} ${reference}`;
  }

  /** The value of the requested coins, and the rate. */
  #value(state: InvoicePageState) {
    const text = this.#valueText(state);
    return text === null ? nothing : html`<p class="value quiet">${text}</p>`;
  }

  #valueText(state: InvoicePageState): string | null {
    const { i18n } = this;
    const { fiatEquivalent, acceptsAnyAmount } = state;
    if (fiatEquivalent === null) return acceptsAnyAmount ? i18n.text('invoice.any_number') : null;
    const rate = i18n.amount({ ...fiatEquivalent, value: fiatEquivalent.rate });
    return `≈ ${i18n.amount(fiatEquivalent)} · ${formatCoins('1', state)} = ${rate}`;
  }

  /** Status of received deposits. */
  #status(state: InvoicePageState) {
    const { i18n } = this;
    const display = invoiceDisplay(state, i18n);
    const replaced = this.#replacedNotice(state);
    return html`${
      replaced ? html`<page-notice .heading=${replaced.heading} .lines=${[replaced.text]}></page-notice>` : nothing
    }
    ${display ? this.#statusPanel(state, display) : nothing}`;
  }

  #statusPanel(state: InvoicePageState, { icon, tone, heading, text }: InvoiceDisplay) {
    const { i18n } = this;
    return html`<status-panel
      .i18n=${i18n}
      .icon=${icon}
      .tone=${tone}
      .heading=${heading}
      .text=${html`${text}${this.#progress(state)}`}
      .facts=${invoiceFacts(state, i18n)}
      .actions=${invoiceActions(state, i18n)}
      @status-action=${() => print()}
    ></status-panel>`;
  }

  /** Progress: the received part of an incomplete amount, otherwise the confirmations. */
  #progress({ amount, received, remaining, confirmations }: InvoicePageState) {
    const bar = (label: string, value: number, max: number) =>
      html`<progress class="depth" max=${max} value=${value} aria-label=${this.i18n.text(label)}></progress>`;
    if (remaining !== null) return bar('received.label', Number(received), Number(amount));
    // An empty bar looks like a divider.
    return confirmations?.seen ? bar('invoice.confirmations', confirmations.seen, confirmations.needed) : nothing;
  }

  /** Shown while coins can be sent, or could have been before the invoice expired. */
  #replacedNotice({ phase, isReplaced }: InvoicePageState) {
    if (!isReplaced || (phase !== 'ready' && phase !== 'expired')) return null;
    return { heading: this.i18n.text('invoice.replaced_title'), text: this.i18n.text('invoice.replaced') };
  }

  /** Payment instructions: address, amount and QR code. */
  #instructions({ state, deadlineMs }: InvoiceView) {
    const { i18n, clock } = this;
    const { paymentUri, amount, coin, expiresAt, merchant, phase } = state;
    if (paymentUri === null) return nothing;
    return html`<div class="methods">
        <div class="method-panel instructions">
          ${
            phase !== 'ready' || expiresAt === null || deadlineMs === null
              ? nothing
              : html`<expiry-countdown
                  class="deadline"
                  .i18n=${i18n}
                  .clock=${clock}
                  .label=${html`<span>${i18n.text('details.deadline')} ${i18n.dateTime(expiresAt)}</span>`}
                  .deadlineMs=${deadlineMs}
                  @countdown-over=${() => this.emit('refresh-state', null)}
                ></expiry-countdown>`
          }
          ${coinPayment({ amount, currency: coin.code.toUpperCase(), address: paymentUri.address, network: coin.network, uri: paymentUri.uri }, { i18n, clock, isFramed: false })}
          ${
            phase === 'ready'
              ? html`<p class="waiting">${statusIcon('pulse')}<span>${i18n.text('instructions.waiting')}</span></p>`
              : nothing
          }
        </div>
      </div>
      ${expiresAt === null ? nothing : html`<p class="page-note">${i18n.text('invoice.late_policy', { merchant: merchant.name })}</p>`}
      ${phase === 'ready' ? this.#returnLink(state) : nothing}`;
  }

  /** Link back to the shop for payers who don't want to pay. */
  #returnLink({ returnUrl, merchant }: InvoicePageState) {
    const address = httpUrl(returnUrl);
    if (address === null) return nothing;
    return html`<a class="back-link" href=${address}>${this.i18n.text('phases.back', { merchant: merchant.name })}</a>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'invoice-page': InvoicePage;
  }
}
