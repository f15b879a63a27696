import { html, nothing } from 'lit';
import type { PaylatchError } from '../../../client/error.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { icon } from '../icons.ts';
import { problemText } from '../problems.ts';
import { type FieldName, fieldNames, type Mistakes } from './link-fields.ts';

interface MistakeSummary {
  mistakes: Mistakes;
  problem: PaylatchError | null;
  i18n: I18n;
  nameOf: (field: FieldName) => string;
  focusField: (field: FieldName) => void;
}

/** Summary above the form: all mistakes, linked to their fields, or the problem of the request. */
export function mistakeSummary({ mistakes, problem, i18n, nameOf, focusField }: MistakeSummary) {
  if (problem) {
    const { heading, text } = problemText(problem, i18n);
    return summary(heading, html`<p>${text}</p>`);
  }
  const names = fieldNames.filter((name) => mistakes[name] !== undefined);
  // A mistake in the amount is shown while typing, at its field only.
  if (names.length === 0 || (names.length === 1 && names[0] === 'amount')) return nothing;
  const handleClick = (event: Event, name: FieldName) => {
    event.preventDefault();
    focusField(name);
  };
  const links = names.map(
    (name) => html`<li>
      <a href="#link-${name}" @click=${(event: Event) => handleClick(event, name)}>${nameOf(name)}: ${mistakes[name]}</a>
    </li>`,
  );
  return summary(i18n.text('account.new_link.mistakes', { count: names.length }), html`<ul>${links}</ul>`);
}

function summary(heading: string, content: unknown) {
  return html`<div class="mistake-summary" tabindex="-1" role="alert">
    <p class="mistake-heading">${icon('triangle-alert')}${heading}</p>
    ${content}
  </div>`;
}
