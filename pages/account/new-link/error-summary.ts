import { html, nothing } from 'lit';
import { focusInRows } from '../expandable-row.ts';
import type { PaylatchError } from '../../../client/error.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { icon } from '../icons.ts';
import { problemText } from '../problems.ts';
import { fieldNames, type FieldErrors, type FieldName, itemErrorNames } from './link-fields.ts';

type ErrorField = keyof FieldErrors;

interface ErrorSummary {
  fieldErrors: FieldErrors;
  problem: PaylatchError | null;
  i18n: I18n;
  nameOf: (field: FieldName) => string;
  findField: (field: ErrorField) => HTMLElement | null;
}

/** Summary above the form: all errors, linked to their fields, or the problem of the request. */
export function errorSummary({ fieldErrors, problem, i18n, nameOf, findField }: ErrorSummary) {
  if (problem) {
    const { heading, text } = problemText(problem, i18n);
    return summary(heading, html`<p>${text}</p>`);
  }
  const entries = [
    ...fieldNames.map((name) => [name, nameOf(name)] as const),
    ...itemErrorNames.map((name, index) => {
      const item = `${i18n.text('account.new_link.item_name')} ${index + 1}`;
      return [name, name === 'line_items' ? i18n.text('account.new_link.items') : item] as const;
    }),
  ].filter(([name]) => fieldErrors[name] !== undefined);
  // An error in the amount is shown while typing, at its field only.
  if (entries.length === 0 || (entries.length === 1 && entries[0]?.[0] === 'amount')) return nothing;
  const handleClick = (event: Event, name: ErrorField) => {
    event.preventDefault();
    void focusInRows(findField(name));
  };
  const links = entries.map(
    ([name, label]) => html`<li>
      <a href="#link-${name}" @click=${(event: Event) => handleClick(event, name)}>${label}: ${fieldErrors[name]}</a>
    </li>`,
  );
  return summary(i18n.text('account.new_link.errors', { count: entries.length }), html`<ul>${links}</ul>`);
}

function summary(heading: string, content: unknown) {
  return html`<div class="error-summary" tabindex="-1" role="alert">
    <p class="error-heading">${icon('triangle-alert')}${heading}</p>
    ${content}
  </div>`;
}
