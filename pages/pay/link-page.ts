import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedMethod, PageState } from '../../src/contract/page-state.ts';
import type { NextAction } from '../../src/contract/method-catalogue.ts';
import { assurance } from '../elements/assurance.ts';
import { webAddress } from '../elements/web-address.ts';
import { type PageView, timeMatters } from '../payment/page-view.ts';
import { PaymentPage } from '../payment/payment-page.ts';
import type { phaseDisplays } from '../payment/phase-displays.ts';
import '../elements/expiry-countdown.ts';
import '../elements/method-picker.ts';
import '../elements/payment-summary.ts';
import '../elements/qr-code.ts';
import '../elements/return-countdown.ts';

/** The link page: who asks for what, the methods on offer, the time that is left, the way back. */
@customElement('link-page')
export class LinkPage extends PaymentPage {
  /** The address of this page, for the QR code; empty while the server draws it. */
  @property({ attribute: false }) address = '';

  /** What the buyer does with an open method, by what the method asks for next. */
  readonly #panels: Partial<Record<NextAction, (view: PageView) => unknown>> = {
    card: (view) => this.card(view),
  };

  protected override content(view: PageView) {
    return html`<section class="pane pane-summary" aria-label=${this.words.text('page.summary')}>${this.#summary(view)}</section>
      <section class="pane pane-payment" aria-label=${this.words.text('page.payment')}>${this.payment(view)}</section>`;
  }

  #summary(view: PageView) {
    const { merchant, amount, description, createdAt, expiresAt, sandbox } = view.state;
    const isTimed = timeMatters(view.state);
    const countdown = html`<expiry-countdown
      .words=${this.words}
      .clock=${this.clock}
      .deadlineMs=${view.deadlineMs}
      .lifetimeMs=${Date.parse(expiresAt) - Date.parse(createdAt)}
      @countdown-over=${() => this.request({ type: 'refresh' })}
    ></expiry-countdown>`;
    return html`${sandbox ? html`<p class="sandbox">${this.words.text('page.sandbox')}</p>` : nothing}
      <payment-summary
        .words=${this.words}
        .merchantName=${merchant.name}
        .amount=${amount}
        .description=${description}
        .aside=${isTimed ? countdown : nothing}
      ></payment-summary>
      ${
        isTimed
          ? html`<div class="phone">
            <qr-code .value=${this.address} .label=${this.words.text('page.qr')}></qr-code>
            <p><strong>${this.words.text('page.phone_title')}</strong><br />${this.words.text('page.phone_text')}</p>
          </div>`
          : nothing
      }`;
  }

  protected override method(view: PageView) {
    return html`<method-picker
      .words=${this.words}
      .methods=${view.state.methods}
      .selected=${view.selectedMethod}
      .panel=${(method: OfferedMethod) =>
        this.#panels[method.action]?.(view) ?? html`<p class="quiet">${this.words.text('methods.no_panel')}</p>`}
      @method-select=${(event: CustomEvent<string>) => this.request({ type: 'select_method', code: event.detail })}
    ></method-picker>`;
  }

  protected override foot(view: PageView) {
    return html`${assurance(this.words)} ${this.frame ? nothing : this.#wayBack(view.state)}`;
  }

  /** Whoever does not want to pay must be able to leave. */
  #wayBack({ returnUrl, merchant }: PageState) {
    const address = webAddress(returnUrl);
    if (address === null) return nothing;
    return html`<a class="way-back" href=${address}>${this.words.text('phases.back', { merchant: merchant.name })}</a>`;
  }

  protected override statusFoot(view: PageView, phase: keyof typeof phaseDisplays) {
    const { merchant, returnUrl } = view.state;
    if (phase !== 'paid' || !view.sawPayment || returnUrl === null || this.frame) return nothing;
    return html`<return-countdown
      .words=${this.words}
      .clock=${this.clock}
      .merchantName=${merchant.name}
      @return-due=${() => this.request({ type: 'return_to_shop' })}
    ></return-countdown>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'link-page': LinkPage;
  }
}
