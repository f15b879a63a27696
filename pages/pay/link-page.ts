import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { OfferedMethod, PageState } from '../../src/contract/page-state.ts';
import type { NextAction } from '../../src/contract/payment-method.ts';
import type { CardValues } from '../elements/card-fields.ts';
import { type Clock, standingClock } from '../elements/clock.ts';
import { LightElement } from '../elements/light-element.ts';
import { webAddress } from '../elements/web-address.ts';
import { type Notice, noticeOf } from '../payment/notices.ts';
import { type PageView, shownPhase, timeMatters } from '../payment/page-view.ts';
import { phaseDisplays } from '../payment/phase-displays.ts';
import type { PageRequest } from '../payment/requests.ts';
import '../elements/card-form.ts';
import '../elements/expiry-countdown.ts';
import '../elements/method-picker.ts';
import '../elements/page-notice.ts';
import '../elements/pay-button.ts';
import '../elements/payment-summary.ts';
import '../elements/qr-code.ts';
import '../elements/return-countdown.ts';
import '../elements/status-panel.ts';

const SAME_MOMENT_MS = 100;

/**
 * The link page: arranges the elements for a view, turns what they tell into requests, and speaks
 * through the page's one live region.
 *
 * @fires page-request - something to be done; `detail` is the {@link PageRequest}
 */
@customElement('link-page')
export class LinkPage extends LightElement {
  @property({ attribute: false }) view: PageView | null = null;
  @property({ attribute: false }) clock: Clock = standingClock;
  @property({ attribute: false }) countryCodes: readonly string[] = [];
  /** The address of this page, for the QR code; empty while the server draws it. */
  @property({ attribute: false }) address = '';
  /** The server's time, for the expiry of a card. */
  @property({ attribute: false }) wallClock: () => number = Date.now;
  /** False while the server draws: then the button waits for the script. */
  @property({ attribute: false }) isAlive = false;

  @state() private announcement = '';

  #isSpeaking = false;

  /** The country at the first draw: later guesses of the server must not change the buyer's choice. */
  #preselectedCountry: string | null | undefined;

  /** The latest view that could be paid: with it the form stays in the page, unseen, until it is needed again. */
  #payableView: PageView | null = null;

  /** What the buyer does with an open method, by what the method asks for next. */
  readonly #panels: Partial<Record<NextAction, (view: PageView) => unknown>> = {
    card: (view) => html`<card-form
      .words=${this.words}
      .countryCodes=${this.countryCodes}
      .preselectedCountry=${this.#preselectedCountry ?? null}
      .serverProblems=${view.fieldProblems}
      .attemptsLeft=${view.state.attemptsLeft}
      .busy=${view.activity !== 'idle'}
      .wallClock=${this.wallClock}
      @card-submit=${(event: CustomEvent<CardValues>) => this.#request({ type: 'submit', card: event.detail })}
    ></card-form>`,
  };

  readonly #statusRequests: Partial<Record<string, PageRequest>> = {
    abandon: { type: 'abandon' },
  };

  protected override willUpdate() {
    this.#preselectedCountry ??= this.view?.state.buyerCountry;
    if (this.view?.state.phase === 'ready') this.#payableView = this.view;
  }

  protected override updated(changed: PropertyValues<this>) {
    const before = changed.get('view');
    if (!before || !this.view) return;
    // What was sent to the bank before is not kept for another try.
    if (before.state.phase !== 'ready' && this.view.state.phase === 'ready')
      this.querySelector('card-form')?.clearSecurityCode();
    this.#tellChange(before, this.view);
  }

  /** News is spoken, and the focus goes to it when what had the focus is gone or behind the news. */
  #tellChange(before: PageView, after: PageView) {
    const phase = shownPhase(after);
    if (phase !== shownPhase(before) && phase !== 'ready') {
      const { heading, text } = phaseDisplays[phase](after, this.words);
      this.#announce(`${heading}. ${text}`);
      void this.#focus('status-panel');
      return;
    }
    const notice = noticeOf(after, this.words);
    if (notice && isNewNotice(noticeOf(before, this.words), notice, before.state, after.state)) {
      this.#announce(`${notice.heading}. ${notice.lines.join(' ')}`);
      void this.#focus('page-notice');
    } else if (after.isOffline && !before.isOffline) {
      this.#announce(this.words.text(phase === 'ready' ? 'page.offline' : 'page.offline_status'));
    }
  }

  async #focus(tag: 'status-panel' | 'page-notice') {
    await this.updateComplete;
    // The notice with the news stands last, below the one about the connection.
    const element = [...this.querySelectorAll(tag)].at(-1);
    await element?.updateComplete;
    element?.focus();
  }

  #announce(text: string) {
    // What is said at the same moment is said in one go: the later text would silence the earlier.
    const joined = this.#isSpeaking ? `${this.announcement} ${text}` : text;
    this.#isSpeaking = true;
    this.clock.after(SAME_MOMENT_MS, () => {
      this.#isSpeaking = false;
    });
    // The same words twice are a change only when they differ by something, here a space nobody hears.
    this.announcement = joined === this.announcement ? `${joined}\u00a0` : joined;
  }

  #request(request: PageRequest) {
    this.tell('page-request', request);
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    const phase = shownPhase(view);
    return html`
      <p class="visually-hidden" role="status" aria-live="polite">${this.announcement}</p>
      <main class="page" @announce=${(event: CustomEvent<string>) => this.#announce(event.detail)}>
        <section class="pane pane-summary" aria-label=${this.words.text('page.summary')}>${this.#summary(view)}</section>
        <section class="pane pane-payment" aria-label=${this.words.text('page.payment')}>
          ${this.#payableView && mayBePaidAgain(view.state) ? this.#payment(this.#payableView, phase !== 'ready') : nothing}
          ${phase === 'ready' ? nothing : this.#status(view, phase)}
        </section>
      </main>
    `;
  }

  #summary(view: PageView) {
    const { merchant, amount, description, createdAt, expiresAt, sandbox } = view.state;
    const isTimed = timeMatters(view.state);
    const countdown = html`<expiry-countdown
      .words=${this.words}
      .clock=${this.clock}
      .deadlineMs=${view.deadlineMs}
      .lifetimeMs=${Date.parse(expiresAt) - Date.parse(createdAt)}
      @countdown-over=${() => this.#request({ type: 'refresh' })}
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

  /** Kept in the page, unseen, while a payment is confirmed, checked or asked for: nothing typed is lost. */
  #payment(view: PageView, isUnseen: boolean) {
    const notice = isUnseen ? null : noticeOf(view, this.words);
    return html`<div class="payment" ?hidden=${isUnseen}>
      ${view.isOffline && !isUnseen ? html`<page-notice .mark=${'offline'} .lines=${[this.words.text('page.offline')]}></page-notice>` : nothing}
      ${notice ? html`<page-notice .tone=${notice.tone} .heading=${notice.heading} .lines=${notice.lines}></page-notice>` : nothing}
      <method-picker
        .words=${this.words}
        .methods=${view.state.methods}
        .selected=${view.selectedMethod}
        .panel=${(method: OfferedMethod) =>
          this.#panels[method.action]?.(view) ?? html`<p class="quiet">${this.words.text('methods.no_panel')}</p>`}
        @method-select=${(event: CustomEvent<string>) => this.#request({ type: 'select_method', code: event.detail })}
      ></method-picker>
      ${this.#payButton(view)}
      <p class="assurance">
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M4.75 7V5.25a3.25 3.25 0 0 1 6.5 0V7" fill="none" stroke="currentColor" stroke-width="1.5" />
          <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
        </svg>
        ${this.words.text('page.assurance')}
      </p>
      ${this.#wayBack(view.state)}
    </div>`;
  }

  /** Whoever does not want to pay must be able to leave. */
  #wayBack({ returnUrl, merchant }: PageState) {
    const address = webAddress(returnUrl);
    if (address === null) return nothing;
    return html`<a class="way-back" href=${address}>${this.words.text('phases.back', { merchant: merchant.name })}</a>`;
  }

  #payButton(view: PageView) {
    const amount = this.words.amount(view.state.amount);
    const busyTexts: Partial<Record<PageView['activity'], string>> = { submitting: 'pay.busy', leaving: 'pay.leaving' };
    const busyText = busyTexts[view.activity];
    return html`<pay-button
      .words=${this.words}
      .formId=${'card-form'}
      .label=${this.words.text('pay.button', { amount })}
      .busyLabel=${busyText === undefined ? null : this.words.text(busyText, { amount })}
      .waitsForScript=${!this.isAlive}
    ></pay-button>`;
  }

  #status(view: PageView, phase: keyof typeof phaseDisplays) {
    const { mark, tone, heading, text, facts, actions } = phaseDisplays[phase](view, this.words);
    const { merchant, returnUrl } = view.state;
    const returnsByItself = phase === 'paid' && view.sawPayment && returnUrl !== null;
    const notice = view.problem === null ? null : noticeOf(view, this.words);
    return html`
      ${view.isOffline ? html`<page-notice .mark=${'offline'} .lines=${[this.words.text('page.offline_status')]}></page-notice>` : nothing}
      ${notice ? html`<page-notice .tone=${notice.tone} .lines=${notice.lines}></page-notice>` : nothing}
      <status-panel
        .words=${this.words}
        .mark=${mark}
        .tone=${tone}
        .heading=${heading}
        .text=${text}
        .facts=${facts}
        .actions=${actions}
        .footer=${
          returnsByItself
            ? html`<return-countdown
              .words=${this.words}
              .clock=${this.clock}
              .merchantName=${merchant.name}
              @return-due=${() => this.#request({ type: 'return_to_shop' })}
            ></return-countdown>`
            : nothing
        }
        @status-action=${(event: CustomEvent<string>) => {
          const request = this.#statusRequests[event.detail];
          if (request) this.#request(request);
        }}
      ></status-panel>
    `;
  }
}

/** What the bank or the provider has been asked may come to nothing, and then the form is needed again. */
function mayBePaidAgain({ phase }: PageState): boolean {
  return phase === 'ready' || phase === 'challenge' || phase === 'checking';
}

/** A second decline with the same words is news as well: it has taken one more attempt. */
function isNewNotice(before: Notice | null, after: Notice, stateBefore: PageState, stateAfter: PageState): boolean {
  return (
    before?.heading !== after.heading ||
    before.lines[0] !== after.lines[0] ||
    stateBefore.attemptsLeft > stateAfter.attemptsLeft
  );
}

declare global {
  interface HTMLElementTagNameMap {
    'link-page': LinkPage;
  }
}
