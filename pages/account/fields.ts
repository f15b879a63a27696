import { html, nothing, type TemplateResult } from 'lit';
import { fieldMistake } from '../checkout/elements/field-mistake.ts';

interface TextField {
  /** Of the element; names of form fields are `name`. */
  id: string;
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'url' | 'search' | 'number' | 'date';
  value?: string;
  autocomplete?: string;
  inputmode?: 'numeric' | 'decimal' | 'email' | 'url' | 'text';
  placeholder?: string;
  maxlength?: number;
  /** What is wrong, in words. */
  mistake?: string | null;
  /** What helps to fill it in. */
  hint?: string | TemplateResult;
  required?: boolean;
  /** Of what runs from left to right in every language: addresses, codes. */
  dir?: 'ltr';
  onInput?: (value: string) => void;
}

/** A native input in the page itself, where password managers find it, with its label, hint and mistake. */
export function textField(field: TextField): TemplateResult {
  const { id, name, label, type = 'text', value, mistake = null, hint, onInput } = field;
  const described = [mistake === null ? null : `${id}-mistake`, hint === undefined ? null : `${id}-hint`];
  return html`<div class="labelled">
    <label for=${id}>${label}</label>
    <input
      class="field"
      id=${id}
      name=${name}
      type=${type}
      value=${value ?? nothing}
      autocomplete=${field.autocomplete ?? 'off'}
      inputmode=${field.inputmode ?? nothing}
      placeholder=${field.placeholder ?? nothing}
      maxlength=${field.maxlength ?? nothing}
      dir=${field.dir ?? nothing}
      autocapitalize=${type === 'email' || type === 'password' ? 'none' : nothing}
      spellcheck=${type === 'text' ? nothing : 'false'}
      aria-required=${field.required ? 'true' : nothing}
      aria-invalid=${mistake === null ? nothing : 'true'}
      aria-describedby=${described.filter((each) => each !== null).join(' ') || nothing}
      @input=${(event: Event) => onInput?.((event.target as HTMLInputElement).value)}
    />
    ${fieldMistake(`${id}-mistake`, mistake)}
    ${hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

/** A text of a form that was sent, as it was typed: a password may begin with a space. */
export function typed(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The same without the spaces around it. */
export function given(form: FormData, name: string): string {
  return typed(form, name).trim();
}

/** Puts the focus into the first field that has a mistake. */
export function focusMistake(within: Element): void {
  within.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
