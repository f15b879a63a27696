import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { StartedMethod, OfferedMethod } from '../../../src/api/page-state.ts';
import type { FieldProblem } from '../../../src/api/problem.ts';
import type { PayerFieldName } from '../../../src/shared/card-form.ts';
import { type Clock, stoppedClock } from '../elements/clock.ts';
import { LightElement } from '../elements/light-element.ts';
import { fieldTraits } from '../elements/card-fields.ts';
import { type Amount, joinSentences } from '../elements/i18n.ts';
import { type FieldValues, findFieldError, type FieldErrorCode, fieldErrorText } from '../elements/card-errors.ts';
import { methodName } from '../elements/method-name.ts';
import { methodSimulatorLink } from '../elements/simulator-link.ts';
import { statusIcon } from '../elements/status-icon.ts';
import type { ChoiceList } from './choice-list.ts';
import { renderInstructions } from './instructions.ts';
import '../elements/expiry-countdown.ts';
import '../elements/text-field.ts';
import './choice-list.ts';

/** Method and option that the buyer selected. */
export interface MethodSelection {
  code: string;
  choice: string | null;
  /** Details that the payer entered. */
  payer: FieldValues;
}

/**
 * The panel of a non-card method. Before the start it shows an introduction and choices, after the start the payment
 * instructions. All methods share it; only their instructions differ.
 *
 * @fires method-start - the buyer starts the method; `detail` is a {@link MethodSelection}
 * @fires method-expired - the instructions or quotes have expired on this page's clock
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('method-panel')
export class MethodPanel extends LightElement {
  @property({ attribute: false }) clock: Clock = stoppedClock;
  @property({ attribute: false }) method: OfferedMethod | null = null;
  /** Set once this method is started. */
  @property({ attribute: false }) started: StartedMethod | null = null;
  /** Amount to pay. */
  @property({ attribute: false }) amount!: Amount;
  /** Deadline of the instructions, on `clock`; null if the payment expires first. */
  @property({ attribute: false }) deadlineMs: number | null = null;
  /** Expiry of the quotes in the choices, on `clock`; null if the choices have no amounts. */
  @property({ attribute: false }) quoteExpiresAtMs: number | null = null;
  @property({ attribute: false }) isFramed = false;
  /** Set during server rendering: form for pages without a script. */
  @property({ attribute: false }) plain: {
    action: string;
    extra: unknown;
    typed: Readonly<Record<string, string>>;
  } | null = null;

  /** Errors that the server found in the last start of this method. */
  @property({ attribute: false }) serverProblems: readonly FieldProblem[] = [];

  @state() private isChoiceMissing = false;
  @state() private fieldErrors: Partial<Record<string, FieldErrorCode | null>> = {};

  protected override willUpdate(changed: PropertyValues<this>) {
    if (!changed.has('serverProblems')) return;
    this.fieldErrors = Object.fromEntries(this.serverProblems.map(({ pointer, code }) => [pointer.slice(1), code]));
    this.isChoiceMissing = 'choice' in this.fieldErrors;
  }

  protected override updated(changed: PropertyValues<this>) {
    // The pressed button no longer exists, so the focus moves to the instructions.
    if (this.started && changed.has('started') && changed.get('started') === null) void this.#focusInstructions();
  }

  async #focusInstructions() {
    const part = this.querySelector<HTMLElement>('.instructions');
    if (!part) return;
    this.emit('announce', this.i18n.text('instructions.ready'));
    part.focus();
  }

  /**
   * Starts the method as the button does, unless its instructions are shown. Returns false if a required choice is
   * missing, which is then shown.
   */
  start(): boolean {
    if (!this.method || this.started) return this.started !== null;
    const { code, choices, payerFields } = this.method;
    const choice = this.#selectedOption();
    this.isChoiceMissing = choices !== null && choice === null;
    if (this.isChoiceMissing) {
      const list = this.querySelector<ChoiceList>('choice-list');
      list?.focus();
      return false;
    }
    const payer = this.#payerValues();
    this.fieldErrors = this.#findErrors(payer);
    const first = payerFields.find((name) => this.fieldErrors[name]);
    if (first) {
      this.#input(first)?.focus();
      return false;
    }
    this.emit<MethodSelection>('method-start', { code, choice, payer });
    return true;
  }

  #input(name: string): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>(`text-field [name=${name}]`);
  }

  /** Returns a value for each field of the payer. */
  #forFields<Value>(valueOf: (name: PayerFieldName) => Value): Record<string, Value> {
    return Object.fromEntries((this.method?.payerFields ?? []).map((name) => [name, valueOf(name)]));
  }

  #payerValues(): FieldValues {
    return this.#forFields((name) => this.#input(name)?.value.trim() ?? '');
  }

  #findErrors(payer: FieldValues) {
    return this.#forFields((name) => findFieldError(name, payer, 0));
  }

  #clearFixedError(name: string) {
    if (!this.#findErrors(this.#payerValues())[name]) this.fieldErrors = { ...this.fieldErrors, [name]: null };
  }

  #payerField(name: PayerFieldName, method: OfferedMethod) {
    const code = this.fieldErrors[name];
    const label = name === 'handle' ? (method.handle ?? '') : '';
    return html`<text-field
      .i18n=${this.i18n}
      .traits=${fieldTraits[name]}
      .idPrefix=${`field-${method.code}`}
      .label=${label}
      .initial=${this.plain?.typed[name] ?? ''}
      .error=${code ? fieldErrorText(this.i18n, name, code, {}, label) : null}
    ></text-field>`;
  }

  #selectedOption(): string | null {
    return this.querySelector<HTMLInputElement>('input[name=choice]:checked')?.value ?? null;
  }

  override render() {
    const { method, started } = this;
    if (!method) return nothing;
    return started ? this.#instructions(method, started) : this.#startForm(method);
  }

  #startForm(method: OfferedMethod) {
    const id = `form-${method.code}`;
    return html`<form
      id=${id}
      class="start"
      method="post"
      action=${this.plain?.action ?? '#'}
      novalidate
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        this.start();
      }}
      @change=${() => {
        this.isChoiceMissing = false;
      }}
      @input=${(event: Event) => this.#clearFixedError((event.target as HTMLInputElement).name)}
    >
      <p class="quiet">${joinSentences(this.#introduction(method), this.#countryNote(method))}</p>
      ${
        method.choices &&
        html`<choice-list
            .i18n=${this.i18n}
            .kind=${method.action === 'crypto' ? 'currency' : 'bank'}
            .choices=${method.choices}
            .name=${`choice-${method.code}`}
            .isMissing=${this.isChoiceMissing}
          ></choice-list>`
      }
      ${method.payerFields.map((name) => this.#payerField(name, method))}
      ${
        this.quoteExpiresAtMs === null
          ? nothing
          : this.#timeLeft(this.i18n.text('choices.currency.rates_locked'), this.quoteExpiresAtMs)
      }
      ${this.plain?.extra}
    </form>`;
  }

  /** Shown to buyers who seem to be in another country: they may use a VPN, or have an account at home. */
  #countryNote({ needsCountry }: OfferedMethod) {
    if (needsCountry === null) return '';
    return this.i18n.text('country.required', { country: this.i18n.countryName(needsCountry) });
  }

  #introduction(method: OfferedMethod): string {
    // The bank asks the owner of the handle for approval.
    if (method.payerFields.includes('handle')) return this.i18n.text('instructions.await');
    const key = `start.${method.action}`;
    const choiceKey = `${key}_choice`;
    const textKey = method.choices !== null && this.i18n.has(choiceKey) ? choiceKey : key;
    return this.i18n.text(textKey, { name: methodName(method, this.i18n) });
  }

  #instructions(method: OfferedMethod, started: StartedMethod) {
    const { i18n, clock, amount, isFramed } = this;
    const isRedirect = started.instructions.action === 'redirect';
    return html`<div
        class="instructions"
        tabindex="-1"
        role="group"
        aria-label=${methodName(method, i18n)}
        @click=${showWaiting}
      >
      ${this.#timeLeft(html`<span>${i18n.text('details.deadline')} ${i18n.dateTime(started.expiresAt)}</span>`, this.deadlineMs)}
      ${renderInstructions({ i18n, clock, method, started, amount, isFramed })}
      <p class="waiting" ?hidden=${isRedirect}>${statusIcon('pulse')}<span>${i18n.text('instructions.waiting')}</span></p>
      ${isRedirect ? nothing : methodSimulatorLink(started, i18n)}
    </div>
    <button type="button" class="method-row" @click=${showOthers}>${i18n.text('instructions.other_method')}</button>`;
  }

  #timeLeft(label: unknown, deadlineMs: number | null) {
    return html`<expiry-countdown
      class="deadline"
      .i18n=${this.i18n}
      .clock=${this.clock}
      .label=${label}
      .deadlineMs=${deadlineMs ?? Infinity}
      @countdown-over=${() => this.emit('method-expired', null)}
    ></expiry-countdown>`;
  }
}

/** The buyer follows the link to the page of the payment. */
function showWaiting({ currentTarget }: Event) {
  (currentTarget as HTMLElement).querySelector('.waiting')?.removeAttribute('hidden');
}

/**
 * Without the button, the other methods are shown again. The next row takes the button's place on the screen and its
 * focus; after the last method, its own row.
 */
function showOthers({ currentTarget }: Event) {
  const button = currentTarget as HTMLElement;
  const { top } = button.getBoundingClientRect();
  const method = button.closest('.method') as HTMLElement;
  const row = method.nextElementSibling ?? method;
  button.remove();
  row.querySelector('input')?.focus();
  scrollBy(0, row.getBoundingClientRect().top - top);
}

declare global {
  interface HTMLElementTagNameMap {
    'method-panel': MethodPanel;
  }
}
