import { html, nothing, type PropertyValues } from 'lit';
import { property } from 'lit/decorators.js';
import type { PageState } from '../../../src/api/page-state.ts';
import type { BillingDetails } from '../../../src/shared/frame/to-frame.ts';
import type { CardValues } from '../../../src/shared/card-form.ts';
import type { CardForm } from '../elements/card-form.ts';
import { Announcer } from '../elements/announcer.ts';
import { type Clock, stoppedClock } from '../elements/clock.ts';
import { fadeIn } from '../elements/fade-in.ts';
import { LightElement } from '../elements/light-element.ts';
import { type Notice, paymentNotice } from './notices.ts';
import { amountToPay, cardMethod, type PageView, displayedPhase } from './page-view.ts';
import { isReleased, type PhaseDisplay, phaseDisplays, type ShownOutcome } from './phase-displays.ts';
import type { PageRequest } from './requests.ts';
import '../elements/card-form.ts';
import '../elements/page-notice.ts';
import '../elements/pay-button.ts';
import '../elements/status-panel.ts';

const noBilling: BillingDetails = {};

/** Settings of a page inside a merchant's page; null for a standalone page. */
export interface FrameSettings {
  disabled: boolean;
  /** The form shows its own button. */
  button: boolean;
  billing: BillingDetails;
}

/**
 * Base of the payment pages. It renders a view and emits requests, and owns the live region, focus changes, card
 * form, button and outcome.
 *
 * @fires page-request - a request for the store; `detail` is a {@link PageRequest}
 */
export abstract class PaymentPage extends LightElement {
  @property({ attribute: false }) view: PageView | null = null;
  @property({ attribute: false }) clock: Clock = stoppedClock;
  /** The server's time, to check the expiry date of a card. */
  @property({ attribute: false }) wallClock: () => number = Date.now;
  /** False during server rendering: then a button that requires the script waits for it. */
  @property({ attribute: false }) hasScript = false;
  @property({ attribute: false }) frame: FrameSettings | null = null;

  readonly #announcer = new Announcer(this);

  /** Country at the first render. Later guesses of the server must not change the buyer's selection. */
  #preselectedCountry: string | null | undefined;

  /** The latest payable view. It keeps the form in the page, hidden, until it is needed again. */
  #payableView: PageView | null = null;

  get cardForm(): CardForm | null {
    return this.querySelector('card-form');
  }

  protected override willUpdate(_changed: PropertyValues<this>) {
    this.#preselectedCountry ??= this.view?.state.payerCountry;
    if (this.view?.state.phase === 'ready') this.#payableView = this.view;
  }

  protected override updated(changed: PropertyValues<this>) {
    const before = changed.get('view');
    if (!before || !this.view) return;
    const isReadyAgain = before.state.phase !== 'ready' && this.view.state.phase === 'ready';
    // A security code that was sent to the issuer is not kept for the next attempt, nor after a lost connection, when
    // other people may use the screen.
    if (isReadyAgain || (this.view.isOffline && !before.isOffline)) this.cardForm?.clearSecurityCode();
    this.#announceChange(before, this.view);
  }

  /** Announces a change, and moves the focus to it. */
  #announceChange(before: PageView, after: PageView) {
    const phase = displayedPhase(after);
    const isNewPhase = phase !== displayedPhase(before);
    if (isNewPhase) void fadeIn(this, 'status-panel, .payment:not([hidden])');
    // A capture changes the text only.
    const isNewText = isNewPhase || before.state.authorized !== after.state.authorized;
    if (isNewText && phase !== 'ready') {
      const { heading, text } = this.display(after, phase);
      this.announce(`${heading}. ${text}`);
      if (isNewPhase) void this.#focus('status-panel');
      return;
    }
    const notice = this.notice(after);
    if (notice && isNewNotice(this.notice(before), notice, before.state, after.state)) {
      this.announce(`${notice.heading}. ${notice.lines.join(' ')}`);
      void this.#focus('page-notice');
    } else if (after.isOffline && !before.isOffline) {
      this.announce(this.#offlineText(after));
    }
  }

  async #focus(tag: 'status-panel' | 'page-notice') {
    await this.updateComplete;
    // Focus elsewhere on the merchant's page is left alone.
    if (this.frame && !document.hasFocus()) return;
    // The new notice comes last, below the notice about the connection.
    const element = [...this.querySelectorAll(tag)].at(-1);
    await element?.updateComplete;
    element?.focus();
  }

  protected announce(text: string) {
    this.#announcer.announce(text);
  }

  protected request(request: PageRequest) {
    this.emit('page-request', request);
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`
      <p class="visually-hidden" role="status" aria-live="polite">${this.#announcer.text}</p>
      <div
        class="page"
        role=${this.frame ? nothing : 'main'}
        @announce=${(event: CustomEvent<string>) => this.announce(event.detail)}
        @card-submit=${(event: CustomEvent<CardValues>) => this.request({ type: 'submit', card: event.detail })}
      >
        ${this.content(view)}
      </div>
    `;
  }

  /** Content of the page. */
  protected abstract content(view: PageView): unknown;

  /** The form while it may be needed, and the outcome. */
  protected payment(view: PageView) {
    const phase = displayedPhase(view);
    return html`${this.#payableView && canBecomePayable(view.state) ? this.#form(this.#payableView, phase !== 'ready') : nothing}
    ${phase === 'ready' ? nothing : this.#status(view, phase)}`;
  }

  /** Kept in the page, hidden, during a challenge or a status check, so that the buyer's input is not lost. */
  #form(view: PageView, isHidden: boolean) {
    return html`<div class="payment" ?hidden=${isHidden}>
      ${isHidden ? nothing : this.#notices(view, this.notice(view))}
      ${this.method(view)}
      ${this.frame?.button === false ? nothing : this.#payButton(view)}
      ${this.foot(view)}
    </div>`;
  }

  #notices(view: PageView, notice: Notice | null) {
    return html`${view.isOffline ? html`<page-notice .icon=${'offline'} .lines=${[this.#offlineText(view)]}></page-notice>` : nothing}
      ${notice ? html`<page-notice .tone=${notice.tone} .heading=${notice.heading} .lines=${notice.lines}></page-notice>` : nothing}`;
  }

  /** Without input to keep, the text only asks to wait. */
  #offlineText(view: PageView): string {
    // Required fields are invalid while they are empty.
    const typed = displayedPhase(view) === 'ready' && this.querySelector('input:required:valid');
    return this.i18n.text(typed ? 'page.offline' : 'page.offline_status');
  }

  /** Pays as the button does. Returns false if a field is missing or invalid, which is then shown. */
  pay(): boolean {
    return this.cardForm?.pay() ?? false;
  }

  /** Content of the open method. */
  protected abstract method(view: PageView): unknown;

  /** Content below the button. */
  protected abstract foot(view: PageView): unknown;

  /** Form of a page without a script: its target, initial values and additional fields. */
  protected plainForm(
    _view: PageView,
  ): { action: string; extra: unknown; typed: Readonly<Record<string, string>> } | null {
    return null;
  }

  protected card(view: PageView) {
    const plain = this.plainForm(view);
    return html`<card-form
      .i18n=${this.i18n}
      .requestedFields=${cardMethod(view.state)?.payerFields ?? []}
      .prefill=${this.frame?.billing ?? noBilling}
      .serverProblems=${view.fieldProblems}
      .attemptsLeft=${view.state.attemptsLeft}
      .busy=${view.activity !== 'idle'}
      .disabled=${this.frame?.disabled ?? false}
      .wallClock=${this.wallClock}
      .action=${plain?.action ?? '#'}
      .extra=${plain?.extra ?? nothing}
      .initial=${{ country: this.#preselectedCountry ?? '', ...plain?.typed }}
    ></card-form>`;
  }

  /** ID of the form that the button submits; null for no button. */
  formToSend(_view: PageView): string | null {
    return 'card-form';
  }

  #payButton(view: PageView) {
    const formId = this.formToSend(view);
    if (formId === null) return nothing;
    const amount = this.i18n.amount(amountToPay(view));
    const busyTexts: Partial<Record<PageView['activity'], string>> = {
      submitting: 'pay.busy',
      requesting: 'pay.busy',
      starting: 'pay.preparing',
      leaving: 'pay.redirecting',
    };
    const busyText = busyTexts[view.activity];
    // The button of a non-card method moves no money: it shows a code or bank details, or leads to another page.
    const label = formId === 'card-form' ? 'pay.button' : 'pay.continue';
    return html`<pay-button
      .i18n=${this.i18n}
      .formId=${formId}
      .label=${this.i18n.text(label, { amount })}
      .busyLabel=${busyText && this.i18n.text(busyText, { amount })}
      .waitsForScript=${!this.hasScript && !this.plainForm(view)}
      .disabled=${this.frame?.disabled ?? false}
      .offline=${view.isOffline}
    ></pay-button>`;
  }

  /** Message before payment. */
  notice(view: PageView): Notice | null {
    return paymentNotice(view, this.i18n);
  }

  /** Display of a phase. In a frame it has no links: the merchant's page decides where to go. */
  display(view: PageView, phase: ShownOutcome): PhaseDisplay {
    const display = phaseDisplays[phase](view, this.i18n);
    if (!this.frame) return display;
    const frameText = (key: string, fallback: string) => (this.i18n.has(key) ? this.i18n.text(key) : fallback);
    return {
      ...display,
      heading: frameText(`frame.${phase}_title`, display.heading),
      text: isReleased(view.state) ? display.text : frameText(`frame.${phase}`, display.text),
      actions: display.actions.filter(({ name }) => name !== 'return').map((action) => ({ ...action, url: null })),
    };
  }

  #status(view: PageView, phase: ShownOutcome) {
    const { icon, tone, heading, text, facts, actions } = this.display(view, phase);
    const notice = view.problem && this.notice(view);
    return html`
      ${this.#notices(view, notice && { ...notice, heading: '' })}
      <status-panel
        .i18n=${this.i18n}
        .icon=${icon}
        .tone=${tone}
        .heading=${heading}
        .text=${text}
        .facts=${facts}
        .actions=${actions}
        .footer=${this.statusFooter(view, phase)}
        @status-action=${(event: CustomEvent<string>) => {
          if (event.detail === 'abandon' || event.detail === 'continue') this.request({ type: event.detail });
        }}
      ></status-panel>
    `;
  }

  /** Content below the actions of an outcome. */
  protected statusFooter(_view: PageView, _phase: ShownOutcome): unknown {
    return nothing;
  }
}

/** A challenge or a pending outcome may fail, and then the form is needed again. */
function canBecomePayable({ phase }: PageState): boolean {
  return phase === 'ready' || phase === 'challenge' || phase === 'checking';
}

/** A second decline with the same text is new too, because it used another attempt. */
function isNewNotice(before: Notice | null, after: Notice, stateBefore: PageState, stateAfter: PageState): boolean {
  return (
    before?.heading !== after.heading ||
    before.lines[0] !== after.lines[0] ||
    stateBefore.attemptsLeft > stateAfter.attemptsLeft
  );
}
