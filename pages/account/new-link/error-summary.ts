import { html, nothing } from 'lit';
import type { PaylatchError } from '../../../client/error.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { icon } from '../icons.ts';
import { problemText } from '../problems.ts';
import { fieldNames, type FieldErrors } from './link-fields.ts';

type ErrorField = keyof FieldErrors;

interface ErrorSummary {
  fieldErrors: FieldErrors;
  problem: PaylatchError | null;
  i18n: I18n;
  nameOf: (field: ErrorField) => string;
  focusField: (field: ErrorField) => void;
}

/** Summary above the form: all errors, linked to their fields, or the problem of the request. */
export function errorSummary({ fieldErrors, problem, i18n, nameOf, focusField }: ErrorSummary) {
  if (problem) {
    const { heading, text } = problemText(problem, i18n);
    return summary(heading, html`<p>${text}</p>`);
  }
  const names = ([...fieldNames, 'line_items'] as const).filter((name) => fieldErrors[name] !== undefined);
  // An error in the amount is shown while typing, at its field only.
  if (names.length === 0 || (names.length === 1 && names[0] === 'amount')) return nothing;
  const handleClick = (event: Event, name: ErrorField) => {
    event.preventDefault();
    focusField(name);
  };
  const links = names.map(
    (name) => html`<li>
      <a href="#link-${name}" @click=${(event: Event) => handleClick(event, name)}>${nameOf(name)}: ${fieldErrors[name]}</a>
    </li>`,
  );
  return summary(i18n.text('account.new_link.errors', { count: names.length }), html`<ul>${links}</ul>`);
}

function summary(heading: string, content: unknown) {
  return html`<div class="error-summary" tabindex="-1" role="alert">
    <p class="error-heading">${icon('triangle-alert')}${heading}</p>
    ${content}
  </div>`;
}
