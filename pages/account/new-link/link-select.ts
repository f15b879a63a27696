import { html, nothing, type TemplateResult } from 'lit';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { selectField } from '../parts.ts';
import type { Fields } from './link-sections.ts';

/** A required select of the form. */
export function linkSelect(
  { context, values, fieldErrors, set }: Fields,
  name: 'country' | 'currency',
  options: readonly (readonly [string, string])[],
  hint = '',
): TemplateResult {
  const fieldError = fieldErrors[name] ?? null;
  const id = `link-${name}`;
  return selectField({
    ...{ id, name, label: context.i18n.text(`account.new_link.fields.${name}`), options, value: values[name] },
    ...{ isRequired: true, isInvalid: fieldError !== null },
    change: (value) => set(name, value),
    after: html`${fieldErrorMessage(`${id}-error`, fieldError)}${hint === '' ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`}`,
  });
}
