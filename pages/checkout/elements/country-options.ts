import { html } from 'lit';
import { escapeHtml } from '../../html-document.ts';
import type { NamedCountry } from './country-field.ts';

/** Options as HTML, by list of countries. The lists are cached too, one per language. */
const optionsOf = new WeakMap<readonly NamedCountry[], string>();

/** Placeholder for the options in rendered HTML. User input cannot contain it, because `<` is escaped there. */
export const optionsPlaceholder = '<option data-countries></option>';
export const optionsPlaceholderTemplate = html`<option data-countries></option>`;

/** Renders the options of a country list on the server: 249 templates would be half of the work for a page. */
export function countryOptions(countries: readonly NamedCountry[], preselected: string | null): string {
  let options = optionsOf.get(countries);
  if (options === undefined) {
    options = countries
      .map(({ code, name }) => `<option value="${escapeHtml(code)}">${escapeHtml(name)}</option>`)
      .join('');
    optionsOf.set(countries, options);
  }
  const value = `value="${escapeHtml(preselected ?? '')}"`;
  return options.replace(value, () => `${value} selected`);
}
