import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Acquirer, AcquirerCheck } from '../../../client/api.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { button, notice, selectField } from '../parts.ts';
import { toProblem } from '../problems.ts';

type Field = Acquirer['credentials'][number];
/** True for a choice of countries, by their alpha-2 codes. */
export const areCountries = (options: readonly string[]): boolean =>
  options.every((option) => /^[A-Z]{2}$/.test(option));

type RunConfirmed = <Result>(action: () => Promise<Result>) => Promise<Result>;

/**
 * The fields of an account's credentials, as its acquirer declares them, with a test.
 *
 * @fires credentials-change
 */
@customElement('credentials-form')
export class CredentialsForm extends AccountElement {
  @property({ attribute: false }) acquirer!: Acquirer;
  /** Values that are not secret. */
  @property({ attribute: false }) initial: Readonly<Record<string, string>> = {};
  @property({ attribute: false }) runWithStepUp!: RunConfirmed;

  @state() private edits: Readonly<Record<string, string>> = {};
  @state() private fieldErrors: Readonly<Record<string, string>> = {};
  @state() private isChecking = false;
  @state() private check: AcquirerCheck | null = null;

  /** The values of the filled fields, by name. */
  get values(): Record<string, string> {
    const filled = this.acquirer.credentials.map(({ name }) => [name, this.#valueOf(name).trim()] as const);
    return Object.fromEntries(filled.filter(([, value]) => value !== ''));
  }

  /** True if the acquirer has accepted these values. */
  get isAccepted(): boolean {
    return this.check?.result === 'ok';
  }

  /** True if a test of these values has ended, and the acquirer has not accepted them. */
  get isRejected(): boolean {
    return this.check !== null && !this.isAccepted;
  }

  /** Clears all values. */
  reset(): void {
    this.edits = {};
    this.fieldErrors = {};
    this.check = null;
  }

  /** Marks missing values. Returns true if there are none. */
  validate(): boolean {
    const { values } = this;
    const missing = this.acquirer.credentials.filter(({ name, optional }) => !optional && !(name in values));
    this.fieldErrors = Object.fromEntries(missing.map(({ name }) => [name, this.text('acquirers.field_missing')]));
    if (missing.length > 0) void this.#focusError();
    return missing.length === 0;
  }

  /** Shows the service's message at its field. Returns false if it is not about the credentials. */
  showProblem(error: unknown): boolean {
    this.fieldErrors = Object.fromEntries(
      toProblem(error).errors.flatMap(({ pointer, detail }) => {
        const name = /^\/credentials\/(\w+)$/.exec(pointer)?.[1];
        return name === undefined ? [] : [[name, detail] as const];
      }),
    );
    const isShown = Object.keys(this.fieldErrors).length > 0;
    if (isShown) void this.#focusError();
    return isShown;
  }

  /** Tests the credentials with the acquirer. Returns true if they are accepted. */
  async test(): Promise<boolean> {
    if (this.isChecking || !this.validate()) return false;
    this.isChecking = true;
    this.check = null;
    const { values } = this;
    try {
      const input = { acquirer: this.acquirer.name, credentials: values };
      const check = await this.runWithStepUp(async () => await this.context.api.checkAcquirerCredentials(input));
      // They were edited in the meantime.
      if (JSON.stringify(values) === JSON.stringify(this.values)) this.check = check;
    } catch (error) {
      if (!this.showProblem(error)) this.announceProblem(error);
    }
    this.isChecking = false;
    return this.isAccepted;
  }

  async #focusError() {
    await this.updateComplete;
    focusInvalidField(this);
  }

  #valueOf(name: string): string {
    return this.edits[name] ?? this.initial[name] ?? '';
  }

  #edit(name: string, value: string) {
    this.edits = { ...this.edits, [name]: value };
    const { [name]: _corrected, ...fieldErrors } = this.fieldErrors;
    this.fieldErrors = fieldErrors;
    this.check = null;
    this.emit('credentials-change', null);
  }

  override render() {
    return html`<div class="fields">${this.acquirer.credentials.map((field) => this.#field(field))}</div>
      <div class="row-actions">
        ${button(this.text('acquirers.test'), () => void this.test(), { icon: 'plug', isBusy: this.isChecking })}
      </div>
      <div role="status">${this.check === null ? nothing : checkNotice(this.check, (key) => this.text(key))}</div>`;
  }

  #field(field: Field) {
    const { name, secret, optional, options } = field;
    const label = optional ? this.text('acquirers.optional', { label: field.label }) : field.label;
    const fieldError = this.fieldErrors[name] ?? null;
    const id = `credential-${name}`;
    if (options)
      return selectField({
        ...{ id, name, label, isRequired: !optional, isInvalid: fieldError !== null, value: this.#valueOf(name) },
        options: [
          ...(optional ? [['', this.text('acquirers.not_set')] as const] : []),
          ...options.map(
            (option) => [option, areCountries(options) ? this.context.format.country(option) : option] as const,
          ),
        ],
        change: (value) => this.#edit(name, value),
        after: html`${fieldErrorMessage(`${id}-error`, fieldError)}
          <p class="hint">${field.hint}</p>`,
      });
    return textField({
      ...{ id, name, label, fieldError, hint: field.hint, required: !optional, dir: 'ltr', maxlength: 4000 },
      ...{ type: secret ? 'password' : 'text', value: this.#valueOf(name) },
      // Keeps password managers from filling in the user's own password.
      autocomplete: secret ? 'new-password' : 'off',
      onInput: (value) => this.#edit(name, value),
    });
  }
}

/** The result of a test, with the acquirer's message. */
export function checkNotice({ result, detail }: AcquirerCheck, text: (key: string) => string) {
  const tone = ({ ok: 'good', failed: 'bad', unreachable: 'warn' } as const)[result];
  return notice({
    icon: ({ ok: 'circle-check', failed: 'circle-x', unreachable: 'cloud-off' } as const)[result],
    tone,
    heading: text(`acquirers.checks.${result}`),
    text: html`<span lang="en" dir="auto">${detail}</span>`,
  });
}
