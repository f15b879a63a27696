import { html, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { inspectCardNumber } from '../../src/contract/card.ts';
import type { FieldProblem } from '../../src/contract/problem.ts';
import {
  type CardFieldName,
  type CardValues,
  cardFieldNames,
  fieldAtPointer,
  fieldTraits,
  isCardFieldName,
} from './card-fields.ts';
import { type MistakeCode, mistakeIn, mistakeText } from './card-mistakes.ts';
import { deleteAcrossGap, formatters } from './card-typing.ts';
import { LightElement } from './light-element.ts';
import { PressWatch } from './press-watch.ts';
import './brand-mark.ts';
import './country-field.ts';
import './text-field.ts';

type Mistakes = Partial<Record<CardFieldName, MistakeCode>>;

/**
 * The card form: every field of a card submission, each mistake told beside its field.
 *
 * @fires card-submit - all fields are right; `detail` are their values ({@link CardValues})
 * @fires announce - `detail` is a text for the page's live region
 */
@customElement('card-form')
export class CardForm extends LightElement {
  /** Codes for the country field. */
  @property({ attribute: false }) countryCodes: readonly string[] = [];
  /** The country chosen at first. */
  @property({ attribute: false }) preselectedCountry: string | null = null;
  /** Mistakes that the server found in what was sent last. */
  @property({ attribute: false }) serverProblems: readonly FieldProblem[] = [];
  /** Attempts that the payment has left: whenever it goes down, the security code is cleared. */
  @property({ attribute: false }) attemptsLeft = 0;
  /** Whether what stands in the form is being paid with: nothing is sent a second time. */
  @property({ attribute: false }) busy = false;
  /** Today's time by the server, for the expiry. */
  @property({ attribute: false }) wallClock: () => number = Date.now;

  @state() private mistakes: Mistakes = {};
  @state() private numberTyped = '';

  @query('form') private readonly form!: HTMLFormElement | null;

  #brandTold: string | null = null;
  readonly #press = new PressWatch(this);

  protected override willUpdate(changed: PropertyValues<this>) {
    if (changed.has('serverProblems') && this.serverProblems.length > 0) {
      this.mistakes = mistakesOf(this.serverProblems);
    }
  }

  protected override updated(changed: PropertyValues<this>) {
    const attemptsBefore = changed.get('attemptsLeft');
    if (attemptsBefore !== undefined && this.attemptsLeft < attemptsBefore) this.clearSecurityCode();
    if (changed.has('serverProblems') && this.serverProblems.length > 0) void this.#focusFirstMistake();
  }

  /** What stands in the fields now. */
  get values(): CardValues {
    const values = Object.fromEntries(cardFieldNames.map((name) => [name, this.#control(name)?.value.trim() ?? '']));
    return values as CardValues;
  }

  clearSecurityCode() {
    const control = this.#control('card_cvv');
    if (control) control.value = '';
    this.#setMistake('card_cvv', null);
  }

  #control(name: string): HTMLInputElement | HTMLSelectElement | null {
    const control = this.form?.elements.namedItem(name);
    return control instanceof HTMLInputElement || control instanceof HTMLSelectElement ? control : null;
  }

  #setMistake(name: CardFieldName, code: MistakeCode | null) {
    const { [name]: _before, ...others } = this.mistakes;
    this.mistakes = code === null ? others : { ...others, [name]: code };
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
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: event.inputType }));
  }

  #onInput(event: Event) {
    const control = event.target;
    if (
      !(control instanceof HTMLInputElement || control instanceof HTMLSelectElement) ||
      !isCardFieldName(control.name)
    )
      return;
    if (control instanceof HTMLInputElement) format(control, control.name);
    if (control.name === 'card_number') this.#followBrand(control.value);
    this.#forgive(control.name);
  }

  /** A mistake that has been told goes as soon as it is put right, and never comes while typing. */
  #forgive(name: CardFieldName) {
    const { values } = this;
    // The code's length depends on the number, so that a new number may put the code right as well.
    const concerned: readonly CardFieldName[] = name === 'card_number' ? ['card_number', 'card_cvv'] : [name];
    for (const field of concerned) {
      if (this.mistakes[field] !== undefined && mistakeIn(field, values, this.wallClock()) === null)
        this.#setMistake(field, null);
    }
  }

  #followBrand(number: string) {
    this.numberTyped = number;
    const { brand, brandName } = inspectCardNumber(number);
    if (brand !== null && brand !== this.#brandTold && brandName !== null) this.tell('announce', brandName);
    this.#brandTold = brand;
  }

  #onFocusOut(event: FocusEvent) {
    const control = event.target;
    if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement)) return;
    // Leaving the window is not leaving the field.
    if (!isCardFieldName(control.name) || document.activeElement === control) return;
    const { name } = control;
    this.#press.whenReleased(() => this.#setMistake(name, mistakeIn(name, this.values, this.wallClock())));
  }

  #onSubmit(event: SubmitEvent) {
    event.preventDefault();
    if (this.busy) return;
    const { values } = this;
    const mistakes: Mistakes = {};
    for (const name of cardFieldNames) {
      const code = mistakeIn(name, values, this.wallClock());
      if (code !== null) mistakes[name] = code;
    }
    this.mistakes = mistakes;
    const count = Object.keys(mistakes).length;
    if (count === 0) {
      this.tell<CardValues>('card-submit', values);
      return;
    }
    this.tell('announce', this.words.text('problems.fields', { count }));
    void this.#focusFirstMistake();
  }

  async #focusFirstMistake() {
    await this.updateComplete;
    const first = cardFieldNames.find((name) => this.mistakes[name] !== undefined);
    if (first) this.#control(first)?.focus();
  }

  override render() {
    const { brand, brandName, cvvLength } = inspectCardNumber(this.numberTyped);
    // Before there is a script the address is never used: the button waits. A form that is sent all
    // the same must not put a card number into an address, hence the method.
    return html`<form
      id="card-form"
      class="card-form"
      method="post"
      action="#"
      novalidate
      @beforeinput=${this.#onBeforeInput}
      @input=${this.#onInput}
      @change=${this.#onInput}
      @focusout=${this.#onFocusOut}
      @submit=${this.#onSubmit}
    >
      <fieldset class="group">
        <legend class="visually-hidden">${this.words.text('form.card')}</legend>
        ${this.#field('card_number', '', html`<brand-mark .brand=${brand} .name=${brandName ?? ''}></brand-mark>`)}
        <div class="two">
          ${this.#field('card_expiry', this.words.text('hints.expiry'))}
          ${this.#field('card_cvv', this.words.text('hints.cvv', { count: cvvLength }))}
        </div>
        <div class="two">${this.#field('first_name')} ${this.#field('last_name')}</div>
      </fieldset>
      <fieldset class="group">
        <legend>${this.words.text('form.billing')}</legend>
        <country-field
          .words=${this.words}
          .codes=${this.countryCodes}
          .preselected=${this.preselectedCountry}
          .mistake=${this.#mistakeText('country')}
        ></country-field>
        ${this.#field('address')} ${this.#field('city')}
        <div class="two">${this.#field('state')} ${this.#field('postcode')}</div>
      </fieldset>
      <fieldset class="group">
        <legend>${this.words.text('form.contact')}</legend>
        ${this.#field('phone', this.words.text('hints.phone'))} ${this.#field('email')}
      </fieldset>
    </form>`;
  }

  #field(name: CardFieldName, hint = '', adornment?: unknown) {
    return html`<text-field
      .words=${this.words}
      .traits=${fieldTraits[name]}
      .hint=${hint}
      .mistake=${this.#mistakeText(name)}
      .adornment=${adornment}
    ></text-field>`;
  }

  #mistakeText(name: CardFieldName): string | null {
    const code = this.mistakes[name];
    return code === undefined ? null : mistakeText(this.words, name, code, this.values);
  }
}

const deletionDirections: Partial<Record<string, 'backward' | 'forward'>> = {
  deleteContentBackward: 'backward',
  deleteContentForward: 'forward',
};

function format(input: HTMLInputElement, name: CardFieldName) {
  const caret = input.selectionStart ?? input.value.length;
  const formatted = formatters[name]?.({ text: input.value, caret });
  if (!formatted || formatted.text === input.value) return;
  input.value = formatted.text;
  // Setting a selection in a field without focus would take the focus in some browsers.
  if (document.activeElement === input) input.setSelectionRange(formatted.caret, formatted.caret);
}

function mistakesOf(problems: readonly FieldProblem[]): Mistakes {
  const mistakes: Mistakes = {};
  for (const { pointer, code } of problems) {
    const name = fieldAtPointer(pointer);
    if (name) mistakes[name] ??= code;
  }
  return mistakes;
}

declare global {
  interface HTMLElementTagNameMap {
    'card-form': CardForm;
  }
}
