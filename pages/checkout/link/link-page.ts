/*
 * Map of `pages/checkout/`: `link/` is the payment page, `frame/` the card form inside `<pay-form>`, `invoice/` the
 * page of a crypto invoice, `reusable-link/` that of a reusable link, and `message/` a page with a message only. In
 * each, `render.ts` renders the HTML on the server, and `client.ts` starts the script. `store/` has state, requests
 * and live updates, `elements/` the shared elements and styles, `methods/` the panels of non-card methods, and
 * `embed/` the messages to the merchant's page. Reasons: docs/decisions/pages.md, plain-forms.md and embedding.md.
 */

import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { OfferedMethod, PageState } from '../../../src/api/page-state.ts';
import type { FieldProblem } from '../../../src/api/problem.ts';
import { assurance } from '../elements/assurance.ts';
import '../elements/expiry-countdown.ts';
import { httpUrl } from '../elements/http-url.ts';
import { joinSentences } from '../elements/i18n.ts';
import type { MethodSelection, MethodPanel } from '../methods/method-panel.ts';
import {
  amountToPay,
  openInstructions,
  openMethod,
  type PageView,
  canExpire,
  displayedPhase,
} from '../store/page-view.ts';
import { PaymentPage } from '../store/payment-page.ts';
import type { Notice } from '../store/notices.ts';
import type { PhaseDisplay, ShownOutcome } from '../store/phase-displays.ts';
import type { Methods } from '../methods/methods.ts';
import { isPartiallyPaid, orderLines } from './order-lines.ts';
import type { PlainForms } from './plain-forms.ts';
import { methodSimulatorLink } from '../elements/simulator-link.ts';
import '../elements/language-picker.ts';
import '../elements/method-picker.ts';
import '../elements/payment-summary.ts';
import '../elements/qr-code.ts';
import '../elements/return-countdown.ts';

const noProblems: readonly FieldProblem[] = [];

/** The link page: merchant, amount, payment methods, countdown and link back to the shop. */
@customElement('link-page')
export class LinkPage extends PaymentPage {
  /** URL of this page, for the QR code; empty during server rendering. */
  @property({ attribute: false }) address = '';

  /** Set during server rendering: forms that work without a script. */
  @property({ attribute: false }) plain: PlainForms | null = null;

  /** Available BCP 47 tags; empty if the merchant's page has set the language. */
  @property({ attribute: false }) languages: readonly string[] = [];
  /** Current language, one of `languages`. */
  @property({ attribute: false }) language = '';

  /** List of the items. */
  @property({ attribute: false }) items: unknown = nothing;

  /** Rendering of non-card methods; null if there are none. */
  @property({ attribute: false }) methods: Methods | null = null;

  override notice(view: PageView): Notice | null {
    return super.notice(view) ?? this.methods?.notice(view, this.i18n) ?? null;
  }

  override display(view: PageView, phase: ShownOutcome): PhaseDisplay {
    const display = { ...super.display(view, phase), ...this.methods?.display(view, phase, this.i18n) };
    return phase === 'paid' && !this.frame ? this.#receipt(view, display) : display;
  }

  /** Adds a receipt's date. */
  #receipt({ state: { paidAt } }: PageView, display: PhaseDisplay): PhaseDisplay {
    if (paidAt === null) return display;
    const { i18n } = this;
    return {
      ...display,
      facts: [...display.facts, { label: i18n.text('page.paid_at'), value: i18n.dateTime(paidAt) }],
    };
  }

  protected override content(view: PageView) {
    return html`<section class="pane pane-summary" aria-label=${this.i18n.text('page.summary')}>${this.#summary(view)}</section>
      <section class="pane pane-payment" aria-label=${this.i18n.text('page.payment')}>
        ${this.payment(view)} ${this.languages.length > 1 && !this.frame ? this.#languages() : nothing}
      </section>`;
  }

  #languages() {
    return html`<language-picker
      .i18n=${this.i18n}
      .languages=${this.languages}
      .chosen=${this.language}
    ></language-picker>`;
  }

  #summary(view: PageView) {
    const { merchant, description, sandbox } = view.state;
    const hasDeadline = canExpire(view.state);
    const countdown = html`<expiry-countdown
      .i18n=${this.i18n}
      .clock=${this.clock}
      .deadlineMs=${view.deadlineMs}
      @countdown-over=${() => this.request({ type: 'refresh' })}
    ></expiry-countdown>`;
    return html`${sandbox ? html`<p class="sandbox">${this.i18n.text('page.sandbox')}</p>` : nothing}
      <payment-summary
        .i18n=${this.i18n}
        .merchantName=${merchant.name}
        .logoUrl=${merchant.logoUrl}
        .amount=${this.i18n.amountParts(amountToPay(view))}
        .description=${description}
        .label=${isPartiallyPaid(view) && view.state.phase === 'ready' ? this.i18n.text('page.remaining') : null}
        .lines=${orderLines(view, this.items, this.i18n)}
        .aside=${hasDeadline && !hasNearerDeadline(view) ? countdown : nothing}
      ></payment-summary>
      ${
        displayedPhase(view) === 'ready' && !showsQrCode(view)
          ? html`<div class="phone">
            <qr-code .value=${this.address} .label=${this.i18n.text('page.qr')}></qr-code>
            <p><strong>${this.i18n.text('page.phone_title')}</strong><br />${this.i18n.text('page.phone_text')}</p>
          </div>`
          : nothing
      }`;
  }

  protected override method(view: PageView) {
    const { ended } = view.state;
    const isAgain = ended?.reason === 'expired' && ended.code === view.selectedMethod;
    return html`<method-picker
      class=${isAgain ? 'again' : nothing}
      .i18n=${this.i18n}
      .methods=${view.state.methods}
      .selected=${view.selectedMethod}
      .panel=${(method: OfferedMethod) => (method.action === 'card' ? this.card(view) : this.#panel(view, method))}
      @method-select=${(event: CustomEvent<string>) => this.request({ type: 'select_method', code: event.detail })}
    ></method-picker>`;
  }

  /** Rendered by an element that loads separately, only if the payment has non-card methods. */
  #panel(view: PageView, method: OfferedMethod) {
    const { state, clockOffsetMs } = view;
    const started = state.started?.code === method.code ? state.started : null;
    return html`<method-panel
      data-method=${method.code}
      .i18n=${this.i18n}
      .clock=${this.clock}
      .method=${method}
      .started=${started}
      .amount=${amountToPay(view)}
      .quoteExpiresAtMs=${method.quoteExpiresAt === null ? null : Date.parse(method.quoteExpiresAt) - clockOffsetMs}
      .deadlineMs=${started && expiresFirst(started.expiresAt, state) ? Date.parse(started.expiresAt) - clockOffsetMs : null}
      .isFramed=${this.frame !== null}
      .serverProblems=${view.selectedMethod === method.code ? view.fieldProblems : noProblems}
      .plain=${this.plain?.method(view, method) ?? null}
      @method-start=${({ detail }: CustomEvent<MethodSelection>) => this.request({ type: 'start_method', ...detail })}
      @method-expired=${() => this.request({ type: 'refresh' })}
    ></method-panel>`;
  }

  protected override plainForm(view: PageView) {
    return this.plain?.card(view) ?? null;
  }

  override formToSend(view: PageView) {
    const method = openMethod(view);
    if (method?.action === 'card') return super.formToSend(view);
    return !method || openInstructions(view) ? null : `form-${method.code}`;
  }

  override pay(): boolean {
    const method = this.view && openMethod(this.view);
    if (method?.action === 'card') return super.pay();
    return this.querySelector<MethodPanel>('.method-panel:not([hidden]) method-panel')?.start() ?? false;
  }

  protected override foot(view: PageView) {
    return html`${openMethod(view)?.action === 'card' ? assurance(this.i18n) : nothing}
      ${this.frame ? nothing : [this.#detectedCountry(view.state), this.#returnLink(view.state)]}`;
  }

  /** The buyer's detected country, on which methods and restrictions depend, if it may be a VPN's. */
  #detectedCountry({ buyerCountry, isLikelyAbroad }: PageState) {
    if (buyerCountry === null || !isLikelyAbroad) return nothing;
    const detected = this.i18n.text('country.detected', { country: this.i18n.countryName(buyerCountry) });
    return html`<p class="page-note">${joinSentences(detected, this.i18n.text('country.vpn'))}</p>`;
  }

  /** Link back to the shop for buyers who don't want to pay. */
  #returnLink({ returnUrl, merchant }: PageState) {
    const address = httpUrl(returnUrl);
    if (address === null) return nothing;
    return html`<a class="back-link" href=${address}>${this.i18n.text('phases.back', { merchant: merchant.name })}</a>`;
  }

  protected override statusFooter(view: PageView, phase: ShownOutcome) {
    const { started } = view.state;
    if (this.plain && (phase === 'checking' || phase === 'challenge')) return this.plain.status(view);
    if (phase === 'checking' && started) return methodSimulatorLink(started, this.i18n);
    // In-app browsers have no reload button.
    if (phase === 'restricted')
      return html`<div class="status-actions"><a class="button" href="">${this.i18n.text('page.reload')}</a></div>`;
    if (this.frame || (phase !== 'paid' && phase !== 'failed')) return nothing;
    return html`${returnsToShop(view) ? this.#returnCountdown(view.state) : nothing}
      ${phase !== 'paid' || view.state.paidAt === null ? nothing : html`<div class="status-actions"><button type="button" class="button" @click=${() => print()}>${this.i18n.text('page.print')}</button></div>`}`;
  }

  #returnCountdown({ merchant }: PageState) {
    return html`<return-countdown
      .i18n=${this.i18n}
      .clock=${this.clock}
      .merchantName=${merchant.name}
      @return-due=${() => this.request({ type: 'return_to_shop' })}
    ></return-countdown>`;
  }
}

/** Returns true if the open method has an earlier deadline, whose countdown then replaces the link's. */
function hasNearerDeadline(view: PageView): boolean {
  return expiresFirst(openInstructions(view)?.expiresAt ?? openMethod(view)?.quoteExpiresAt, view.state);
}

function expiresFirst(deadline: string | null | undefined, { expiresAt }: PageState): boolean {
  return Date.parse(deadline ?? '') < Date.parse(expiresAt);
}

/** Returns true if the page returns to the shop: after an outcome that the buyer saw and that no funds can change. */
function returnsToShop({ state, sawOutcome }: PageView): boolean {
  const isComplete = state.phase === 'paid' || (state.received === null && !state.mayReceiveFunds);
  return sawOutcome && isComplete && httpUrl(state.returnUrl) !== null;
}

/** The page shows one QR code at a time, so that buyers can't scan the wrong one. */
function showsQrCode(view: PageView): boolean {
  const action = openInstructions(view)?.instructions.action;
  return action === 'qr' || action === 'app_intent' || action === 'crypto';
}

declare global {
  interface HTMLElementTagNameMap {
    'link-page': LinkPage;
  }
}
