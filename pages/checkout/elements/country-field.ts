import { html, isServer, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { addressCountries } from '../../../src/shared/address.ts';
import { fieldErrorMessage } from './field-error.ts';
import { LightElement } from './light-element.ts';
import type { I18n } from './i18n.ts';

type OptionsRenderer = (countries: readonly NamedCountry[], preselected: string | null) => unknown;

let renderOptions: OptionsRenderer = () => nothing;

/** Sets how the server renders the options of the next page. */
export function setOptionsRenderer(renderer: OptionsRenderer) {
  renderOptions = renderer;
}

/** Country of the billing address: a native select with localized, sorted names. */
@customElement('country-field')
export class CountryField extends LightElement {
  /** ISO 3166-1 alpha-2 codes. */
  @property({ attribute: false }) codes = addressCountries;
  /** Initially selected country. After that, the native select holds the choice. */
  @property({ attribute: false }) preselected: string | null = null;
  /** Message of the error, or null. */
  @property({ attribute: false }) error: string | null = null;

  #selected: string | null = null;
  /** The countries in the list, and the fragment that they came from. */
  #shown: { countries: readonly NamedCountry[]; options: DocumentFragment } | null = null;

  protected override willUpdate(changed: PropertyValues<this>) {
    // A new language reorders the options, so the choice is kept by value.
    if (changed.get('i18n') !== undefined) this.#selected = this.querySelector('select')?.value ?? null;
  }

  protected override updated() {
    const select = this.querySelector('select');
    if (select && this.#selected !== null) select.value = this.#selected;
    this.#selected = null;
  }

  /** In the browser, plain elements: 249 templates would take several times as long. */
  #options(countries: readonly NamedCountry[]) {
    if (isServer) return renderOptions(countries, this.preselected);
    if (this.#shown?.countries !== countries) {
      const options = document.createDocumentFragment();
      for (const { code, name } of countries) {
        const isPreselected = code === this.preselected;
        options.append(new Option(name, code, isPreselected, isPreselected));
      }
      this.#shown = { countries, options };
    }
    return this.#shown.options;
  }

  override render() {
    const id = 'field-country';
    return html`<label for=${id}>${this.i18n.text('fields.country')}</label>
      <div class="control">
        <select
          id=${id}
          name="country"
          class="field"
          autocomplete="country"
          aria-invalid=${this.error !== null}
          aria-describedby=${this.error === null ? nothing : `${id}-error`}
          required
        >
          <option value="">${this.i18n.text('hints.choose_country')}</option>
          ${this.#options(namedCountries(this.codes, this.i18n))}
        </select>
        <svg class="control-arrow" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m3.5 6 4.5 4.5L12.5 6" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" />
        </svg>
      </div>
      ${fieldErrorMessage(`${id}-error`, this.error)}`;
  }
}

export interface NamedCountry {
  code: string;
  name: string;
}

// Naming and sorting 249 countries takes milliseconds, and server rendering does it for every page.
const countriesByLocale = new Map<string, { codes: readonly string[]; named: readonly NamedCountry[] }>();
const MAX_CACHED_LOCALES = 64;

/** Reuses names that the server has sorted, instead of sorting them again. */
export function keepCountryNames(locale: string, named: readonly NamedCountry[]) {
  if (named.length === addressCountries.length) countriesByLocale.set(locale, { codes: addressCountries, named });
}

function namedCountries(codes: readonly string[], i18n: I18n): readonly NamedCountry[] {
  const cached = countriesByLocale.get(i18n.locale);
  if (cached?.codes === codes) return cached.named;
  const { compare } = new Intl.Collator(i18n.locale);
  const names = new Intl.DisplayNames(i18n.locale, { type: 'region' });
  const named = codes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => compare(a.name, b.name));
  if (countriesByLocale.size >= MAX_CACHED_LOCALES) countriesByLocale.clear();
  countriesByLocale.set(i18n.locale, { codes, named });
  return named;
}

declare global {
  interface HTMLElementTagNameMap {
    'country-field': CountryField;
  }
}
