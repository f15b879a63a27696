import { html, nothing, type TemplateResult } from 'lit';
import { fieldErrorMessage } from '../checkout/elements/field-error.ts';
import { icon } from './icons.ts';
import { innerAttributes } from './inner-attributes.ts';
import { hiddenLabelAttributes, hintSlot } from './parts.ts';
import '@awesome.me/webawesome/dist/components/input/input.js';
import '@awesome.me/webawesome/dist/components/textarea/textarea.js';

interface Field {
  /** ID of the element; `name` is the name of the form field. */
  id: string;
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'number' | 'date' | 'tel';
  value?: string;
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email' | 'url' | 'text';
  maxlength?: number;
  /** Message about an invalid value. */
  fieldError?: string | null;
  /** Help below the field. */
  hint?: unknown;
  required?: boolean;
  /** `ltr` for values that are left to right in every language: addresses, codes. */
  dir?: 'ltr' | 'auto';
  onInput?: (value: string, event: Event) => void;
}

interface TextField extends Field {
  placeholder?: string;
  isLabelHidden?: boolean;
  isReadOnly?: boolean;
  className?: string;
  /** Description of the field, in addition to its hint. */
  description?: string;
  /** Content at the end of the field: a unit. */
  end?: TemplateResult | typeof nothing;
  onKey?: (event: KeyboardEvent) => unknown;
  onChange?: (value: string) => void;
}

/** A field with its label, hint and error. */
export function textField(field: TextField): TemplateResult {
  const { id, type = 'text', fieldError = null, onInput } = field;
  return html`<wa-input
    class=${field.className ?? nothing}
    id=${id}
    name=${field.name}
    label=${field.isLabelHidden ? nothing : field.label}
    type=${type}
    .value=${field.value ?? ''}
    .readonly=${field.isReadOnly ?? false}
    autocomplete=${field.autocomplete ?? 'off'}
    inputmode=${field.inputmode ?? nothing}
    placeholder=${field.placeholder ?? nothing}
    maxlength=${field.maxlength ?? nothing}
    autocapitalize=${type === 'email' ? 'none' : nothing}
    spellcheck=${type === 'text' ? 'true' : 'false'}
    ?data-invalid=${fieldError !== null}
    ${innerAttributes(controlAttributes(field))}
    @input=${(event: Event) => onInput?.((event.target as HTMLInputElement).value, event)}
    @change=${(event: Event) => field.onChange?.((event.target as HTMLInputElement).value)}
    @keydown=${field.onKey ?? nothing}
    >${type === 'search' ? icon('search', 'start') : nothing}${field.end ?? nothing}${hintSlot(hintContent(field))}</wa-input
  >`;
}

/** A multi-line text field. */
export function textArea(field: TextField & { rows: number }): TemplateResult {
  return html`<wa-textarea
    id=${field.id}
    name=${field.name}
    label=${field.label}
    rows=${field.rows}
    .value=${field.value ?? ''}
    maxlength=${field.maxlength ?? nothing}
    spellcheck="false"
    ?data-invalid=${(field.fieldError ?? null) !== null}
    ${innerAttributes(controlAttributes(field))}
    @input=${(event: Event) => field.onInput?.((event.target as HTMLTextAreaElement).value, event)}
    >${hintSlot(hintContent(field))}</wa-textarea
  >`;
}

function controlAttributes({ required, fieldError = null, dir, description, isLabelHidden, label }: TextField) {
  const aria = { 'aria-required': required, 'aria-invalid': fieldError !== null, 'aria-description': description };
  return { ...aria, dir, ...hiddenLabelAttributes(isLabelHidden, label) };
}

function hintContent({ id, fieldError = null, hint }: Field) {
  if (fieldError === null && (hint === undefined || hint === nothing)) return nothing;
  return html`${fieldErrorMessage(`${id}-error`, fieldError)}${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}`;
}

/**
 * A native input for credentials: some password managers do not search the shadow root of a Web Awesome input.
 */
export function credentialField(field: Field): TemplateResult {
  const { id, name, label, type = 'text', value, fieldError = null, hint, onInput } = field;
  const descriptionIds = [fieldError === null ? null : `${id}-error`, hint === undefined ? null : `${id}-hint`];
  return html`<div class="labeled">
    <label for=${id}>${label}</label>
    <input
      class="field"
      id=${id}
      name=${name}
      type=${type}
      value=${value ?? nothing}
      autocomplete=${field.autocomplete ?? 'off'}
      inputmode=${field.inputmode ?? nothing}
      maxlength=${field.maxlength ?? nothing}
      dir=${field.dir ?? nothing}
      autocapitalize="none"
      spellcheck="false"
      aria-required=${field.required ? 'true' : nothing}
      aria-invalid=${fieldError === null ? nothing : 'true'}
      aria-describedby=${descriptionIds.filter((id) => id !== null).join(' ') || nothing}
      @input=${(event: Event) => onInput?.((event.target as HTMLInputElement).value, event)}
    />
    ${hintContent(field)}
  </div>`;
}

/** Lets Enter in a native input submit the form: implicit submission needs a native submit button. */
export const enterSubmits = html`<input type="submit" hidden />`;

/** The text of a form field, untrimmed: a password may begin with a space. */
export function rawValue(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The text of a form field without surrounding spaces. */
export function trimmedValue(form: FormData, name: string): string {
  return rawValue(form, name).trim();
}

/** Focuses the first field with an error. */
export function focusInvalidField(container: Element): void {
  container.querySelector<HTMLElement>('[data-invalid], [aria-invalid="true"]')?.focus();
}
