import { html, isServer, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { inspectCardNumber } from '../../../src/shared/card.ts';
import { asciiDigits } from '../../../src/shared/digits.ts';
import type { FieldProblem } from '../../../src/api/problem.ts';
import {
  type CardFieldName,
  type CardValues,
  cardFieldNames,
  cardPayerFieldNames,
  type PayerFieldName,
} from '../../../src/shared/card-form.ts';
import { fieldAtPointer, fieldTraits, isCardFieldName } from './card-fields.ts';
import { type FieldErrorCode, findFieldError, fieldErrorText } from './card-errors.ts';
import { deleteAcrossGap, formatters } from './card-formatting.ts';
import { LightElement } from './light-element.ts';
import { type PayerRows, payerRows, type Row } from './payer-rows.ts';
import { PressTracker } from './press-tracker.ts';
import './brand-mark.ts';
import './country-field.ts';
import './text-field.ts';

type FieldErrors = Partial<Record<CardFieldName, FieldErrorCode>>;

/** State of the form that other parts of the page may see: which fields are complete or invalid, never their values. */
export interface CardFormState {
  complete: boolean;
  empty: boolean;
  /** Brand, once the number identifies it: `visa`, `mastercard`. */
  brand: string | null;
  /** Fields that show an error. */
  invalid: CardFieldName[];
}

/**
 * The card form: the card, and the payer's fields that the payment needs and the payer's country has, each error next
 * to its field.
 *
 * @fires card-change - the form's state has changed; `detail` is a {@link CardFormState}, without values
 * @fires card-submit - the buyer submitted valid fields; `detail` contains their values ({@link CardValues})
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('card-form')
export class CardForm extends LightElement {
  /** Payer fields to ask for. */
  @property({ attribute: false }) requestedFields: readonly PayerFieldName[] = cardPayerFieldNames;
  /** Errors that the server found in the last submission. */
  @property({ attribute: false }) serverProblems: readonly FieldProblem[] = [];
  /** Remaining payment attempts. When the number drops, the security code is cleared. */
  @property({ attribute: false }) attemptsLeft = 0;
  /** A payment is in progress: the form does not submit again. */
  @property({ attribute: false }) busy = false;
  /** Accepts no input. */
  @property({ attribute: false }) disabled = false;
  /** Billing details that the merchant's page provides. Their fields are hidden unless a value is invalid. */
  @property({ attribute: false }) prefill: Partial<CardValues> = {};
  /** The form's `action`, used without JavaScript. */
  @property({ attribute: false }) action = '#';
  @property({ attribute: false }) extra: unknown = nothing;
  /** Initial values of the fields; the country also if the form does not ask for it. */
  @property({ attribute: false }) initial: Readonly<Record<string, string>> = {};
  /** Current server time, to check the expiry date. */
  @property({ attribute: false }) wallClock: () => number = Date.now;

  @state() private errors: FieldErrors = {};
  @state() private typedNumber = '';
  /** The payer's country, which determines the fields; null before the first choice. */
  @state() private selectedCountry: string | null = null;

  #announcedBrand: string | null = null;
  #emittedState = '';
  /** Prefilled fields that had an error and stay visible from then on. */
  #revealed: ReadonlySet<CardFieldName> = new Set();
  readonly #pressTracker = new PressTracker(this);
  /** The fields have moved, so that their values must be restored in their new places. */
  #isMoved = false;
  #kept: Partial<CardValues> = {};
  #rows: PayerRows | null = null;
  #filled: Promise<void> = Promise.resolve();

  protected override willUpdate(changed: PropertyValues) {
    if (changed.has('serverProblems') && this.serverProblems.length > 0) {
      this.errors = fieldErrorsOf(this.serverProblems);
    }
    const wrong = cardFieldNames.filter((name) => this.errors[name] !== undefined);
    if (wrong.some((name) => !this.#revealed.has(name))) this.#revealed = new Set([...this.#revealed, ...wrong]);
    const set = cardFieldNames.filter((name) => this.prefill[name] !== undefined || this.#revealed.has(name));
    const rows = payerRows(this.#country, this.requestedFields, set);
    this.#isMoved = this.hasUpdated && JSON.stringify(rows) !== JSON.stringify(this.#rows);
    if (this.#isMoved) this.#kept = this.#keptValues();
    this.#rows = rows;
  }

  /** Resolves when the values have been filled in too. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const filled = this.#filled;
    const isComplete = await super.getUpdateComplete();
    await filled;
    return this.isUpdatePending || filled !== this.#filled ? await this.getUpdateComplete() : isComplete;
  }

  /** Fills the fields, which render after the form. */
  async #fillFields(isMoved: boolean, isPrefilled: boolean) {
    for (const field of this.querySelectorAll<LightElement>('text-field, country-field')) await field.updateComplete;
    if (isMoved) this.fill(this.#kept);
    if (isPrefilled) this.#applyPrefill(this.prefill);
  }

  get #form(): HTMLFormElement | null {
    return isServer ? null : this.querySelector('form');
  }

  get #country(): string {
    return this.selectedCountry ?? this.initial['country'] ?? '';
  }

  /** Names of the form's fields. */
  get #names(): CardFieldName[] {
    const { name, address, contact } = this.#rows ?? payerRows(this.#country, this.requestedFields, []);
    const shown = [name, ...address, ...contact].flat().map((field) => field.name);
    return cardFieldNames.filter((each) => each.startsWith('card_') || shown.includes(each));
  }

  /** Values of all fields, also of those that the form does not have now: they may get the element of another field. */
  #keptValues(): Partial<CardValues> {
    return Object.fromEntries(
      cardFieldNames.map((name) => [name, this.#control(name)?.value ?? this.#kept[name] ?? this.initial[name] ?? '']),
    );
  }

  protected override updated(changed: PropertyValues) {
    if (this.#isMoved || changed.has('prefill')) this.#filled = this.#fillFields(this.#isMoved, changed.has('prefill'));
    this.#emitState();
    const attemptsBefore = changed.get('attemptsLeft');
    if (attemptsBefore !== undefined && this.attemptsLeft < attemptsBefore) this.clearSecurityCode();
    if (changed.has('serverProblems') && this.serverProblems.length > 0) void this.#focusFirstError();
  }

  /** Current values of the fields; empty for those that the form does not have. */
  get values(): CardValues {
    const values = Object.fromEntries(cardFieldNames.map((name) => [name, this.#control(name)?.value.trim() ?? '']));
    return values as CardValues;
  }

  /** Sets values and fires `input` events, as if the buyer had typed them. */
  fill(values: Partial<CardValues>) {
    this.#kept = { ...this.#kept, ...values };
    for (const [name, value] of Object.entries(values)) {
      const control = this.#control(name);
      if (!control || control.value === value) continue;
      control.value = value;
      control.dispatchEvent(new Event('input', { bubbles: true }));
    }
  }

  #applyPrefill(values: Partial<CardValues>) {
    this.fill(values);
    // Prefilled values must be valid; otherwise their fields are shown.
    this.#revealed = new Set(
      cardFieldNames.filter(
        (name) => values[name] !== undefined && findFieldError(name, this.values, this.wallClock()),
      ),
    );
    if (this.#revealed.size > 0) this.requestUpdate();
  }

  #isPrefilled(name: CardFieldName): boolean {
    return this.prefill[name] !== undefined && !this.#revealed.has(name);
  }

  /** Submits the form as the button does. Returns false if it is disabled or has errors, which are then shown. */
  pay(): boolean {
    if (this.disabled) return false;
    this.#form?.requestSubmit();
    return Object.keys(this.errors).length === 0;
  }

  /** Clears everything except prefilled fields. */
  reset() {
    this.#form?.reset();
    this.errors = {};
    this.typedNumber = '';
    this.#kept = {};
    this.selectedCountry = this.#control('country')?.value ?? this.selectedCountry;
    this.#applyPrefill(this.prefill);
    this.#emitState();
  }

  /** Focuses the first field with an error, otherwise the first field. */
  override focus() {
    const first = cardFieldNames.find((name) => this.errors[name] !== undefined) ?? 'card_number';
    this.#control(first)?.focus();
  }

  /** Shows all errors and focuses the first one. */
  report(): boolean {
    const { values } = this;
    const errors: FieldErrors = {};
    for (const name of this.#names) {
      const code = findFieldError(name, values, this.wallClock());
      if (code !== null) errors[name] = code;
    }
    this.errors = errors;
    const count = Object.keys(errors).length;
    if (count === 0) return true;
    this.emit('announce', this.i18n.text('problems.fields', { count }));
    void this.#focusFirstError();
    return false;
  }

  #emitState() {
    const { values } = this;
    const names = this.#names;
    const state: CardFormState = {
      complete: names.every((name) => findFieldError(name, values, this.wallClock()) === null),
      empty: names.every((name) => name === 'country' || values[name] === (this.prefill[name] ?? '')),
      brand: inspectCardNumber(values.card_number).brand,
      invalid: names.filter((name) => this.errors[name] !== undefined),
    };
    const serialized = JSON.stringify(state);
    if (serialized === this.#emittedState) return;
    this.#emittedState = serialized;
    this.emit('card-change', state);
  }

  clearSecurityCode() {
    const control = this.#control('card_cvv');
    if (control) control.value = '';
    this.#setError('card_cvv', null);
  }

  #control(name: string): HTMLInputElement | HTMLSelectElement | null {
    const control = this.#form?.elements.namedItem(name);
    return (control ?? null) as HTMLInputElement | HTMLSelectElement | null;
  }

  #setError(name: CardFieldName, code: FieldErrorCode | null) {
    const { [name]: _removed, ...others } = this.errors;
    this.errors = code === null ? others : { ...others, [name]: code };
  }

  #onBeforeInput(event: InputEvent) {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !isCardFieldName(input.name) || !formatters[input.name]) return;
    const { selectionStart: caret, selectionEnd } = input;
    if (caret === null || caret !== selectionEnd) return;
    const direction = deletionDirections[event.inputType];
    const deleted = direction && deleteAcrossGap({ text: input.value, caret }, direction);
    if (!deleted) return;
    event.preventDefault();
    input.value = deleted.text;
    input.setSelectionRange(deleted.caret, deleted.caret);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #onInput(event: Event) {
    const control = event.target as HTMLInputElement | HTMLSelectElement;
    if (!isCardFieldName(control.name)) return;
    // A change of the text would restart the composition of an input method, which inserts the typed text again.
    if (control instanceof HTMLInputElement && !(event as InputEvent).isComposing) formatInput(control, control.name);
    if (control.name === 'card_number') this.#updateBrand(control.value);
    if (control.name === 'country') this.selectedCountry = control.value;
    this.#clearFixedErrors(control.name);
    this.#emitState();
  }

  /** Clears errors that have been fixed. Typing never adds an error. */
  #clearFixedErrors(name: CardFieldName) {
    const { values } = this;
    // The length of the security code depends on the number, so a new number may fix the code too.
    const affected: readonly CardFieldName[] = name === 'card_number' ? ['card_number', 'card_cvv'] : [name];
    for (const field of affected) {
      if (this.errors[field] !== undefined && findFieldError(field, values, this.wallClock()) === null)
        this.#setError(field, null);
    }
  }

  #updateBrand(number: string) {
    this.typedNumber = number;
    const { brand, brandName } = inspectCardNumber(number);
    if (brand !== null && brand !== this.#announcedBrand && brandName !== null) this.emit('announce', brandName);
    this.#announcedBrand = brand;
  }

  #onFocusOut(event: FocusEvent) {
    const { name, value } = event.target as HTMLInputElement;
    // If the window loses focus, the buyer has not left the field. Passing an empty field is no mistake.
    if (!isCardFieldName(name) || document.activeElement === event.target || !(value || this.errors[name])) return;
    this.#pressTracker.whenReleased(() => this.#setError(name, findFieldError(name, this.values, this.wallClock())));
  }

  #onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (this.busy || this.disabled) return;
    if (this.report()) this.emit<CardValues>('card-submit', this.values);
  }

  async #focusFirstError() {
    await this.updateComplete;
    const first = cardFieldNames.find((name) => this.errors[name] !== undefined);
    if (first) this.#control(first)?.focus();
  }

  override render() {
    const { brand, brandName, cvvLength } = inspectCardNumber(this.typedNumber);
    const rows = this.#rows ?? payerRows(this.#country, this.requestedFields, []);
    return html`<form
      id="card-form"
      class="card-form"
      method="post"
      action=${this.action}
      novalidate
      @beforeinput=${this.#onBeforeInput}
      @input=${this.#onInput}
      @compositionend=${this.#onInput}
      @change=${this.#onInput}
      @focusout=${this.#onFocusOut}
      @submit=${this.#onSubmit}
    >
      <fieldset class="group" ?disabled=${this.disabled}>
        <legend class="visually-hidden">${this.i18n.text('form.card')}</legend>
        ${this.#field('card_number', '', html`<brand-mark .brand=${brand} .name=${brandName ?? ''}></brand-mark>`)}
        <div class="two">
          ${this.#field('card_expiry', this.i18n.text('hints.expiry'))}
          ${this.#field('card_cvv', this.i18n.text('hints.cvv', { count: cvvLength }))}
        </div>
        ${this.#row(rows.name)}
      </fieldset>
      ${this.#group('form.billing', rows.address)} ${this.#group('form.contact', rows.contact)}
      ${this.extra}
    </form>`;
  }

  /** A short group needs no visible heading. */
  #group(heading: string, rows: readonly Row[]) {
    if (rows.length === 0) return nothing;
    return html`<fieldset class="group" ?disabled=${this.disabled} ?hidden=${rows.flat().every(({ name }) => this.#isPrefilled(name))}>
      <legend class=${rows.length === 1 ? 'visually-hidden' : nothing}>${this.i18n.text(heading)}</legend>
      ${rows.map((row) => this.#row(row))}
    </fieldset>`;
  }

  #row(row: Row) {
    const fields = row.map(({ name, label }) => {
      if (name === 'country') return this.#countryField();
      return this.#field(name, name === 'phone' ? this.i18n.text('hints.phone') : '', nothing, label);
    });
    // A country alone keeps its row: a new element would lose focus, and with a new layout, Firefox would forget the
    // letters of the country that were typed so far.
    return row.length === 2 || row[0]?.name === 'country' ? html`<div class="two">${fields}</div>` : fields;
  }

  #countryField() {
    return html`<country-field
      ?hidden=${this.#isPrefilled('country')}
      .i18n=${this.i18n}
      .preselected=${this.initial['country'] ?? null}
      .error=${this.#fieldErrorText('country')}
    ></country-field>`;
  }

  #field(name: CardFieldName, hint = '', adornment: unknown = nothing, labelKey: string = name) {
    const label = this.i18n.textOr(`fields.${labelKey}`, `fields.${name}`);
    return html`<text-field
      ?hidden=${this.#isPrefilled(name)}
      .i18n=${this.i18n}
      .traits=${fieldTraits[name]}
      .label=${label}
      .initial=${this.initial[name] ?? ''}
      .hint=${hint}
      .error=${this.#fieldErrorText(name, label)}
      .adornment=${adornment}
    ></text-field>`;
  }

  #fieldErrorText(name: CardFieldName, label = ''): string | null {
    const code = this.errors[name];
    return code === undefined ? null : fieldErrorText(this.i18n, name, code, this.values, label);
  }
}

const deletionDirections: Partial<Record<string, 'backward' | 'forward'>> = {
  deleteContentBackward: 'backward',
  deleteContentForward: 'forward',
};

function formatInput(input: HTMLInputElement, name: CardFieldName) {
  const caret = input.selectionStart ?? input.value.length;
  const formatted = formatters[name]?.({ text: asciiDigits(input.value), caret });
  if (!formatted || formatted.text === input.value) return;
  input.value = formatted.text;
  // In some browsers, setting the selection moves the focus to the field.
  if (document.activeElement === input) input.setSelectionRange(formatted.caret, formatted.caret);
}

function fieldErrorsOf(problems: readonly FieldProblem[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { pointer, code } of problems) {
    const name = fieldAtPointer(pointer);
    if (name) errors[name] ??= code;
  }
  return errors;
}

declare global {
  interface HTMLElementTagNameMap {
    'card-form': CardForm;
  }
}
