/*
 * The script does not hydrate the server-rendered page. Translators and password managers change it before the script
 * runs, and hydration throws at the first difference. Instead the page is removed and rendered again in the same
 * task, before the next paint, and the buyer's input is restored.
 */

import type { NamedCountry } from '../elements/country-field.ts';

/** Buyer input from before the script started. */
export interface SavedInput {
  /** Field values by selector. */
  values: ReadonlyMap<string, string>;
  /** Language selected in the picker; null without a picker. */
  locale: string | null;
  /** Code of the open method; null if there was no choice. */
  method: string | null;
  /** List of the items, which the page shows again. */
  items: Element | null;
  /** Selectors of the selected banks and coins. */
  choices: readonly string[];
  focused: { selector: string; selection: [number, number] | null } | null;
  /** The list of countries, in its order. */
  countries: readonly NamedCountry[];
}

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Removes the server-rendered element and returns its input. Call it before the elements are defined, because
 * otherwise they would upgrade the server-rendered element.
 */
export function removePage(page: Element): SavedInput {
  const values = new Map<string, string>();
  for (const control of page.querySelectorAll<Control>('.field')) {
    const selector = controlSelector(control);
    if (control.value !== '' && selector !== null) values.set(selector, control.value);
  }
  const locale = page.querySelector<HTMLSelectElement>('[name=locale]')?.value ?? null;
  const method = page.querySelector<HTMLInputElement>('[name=method]:checked')?.value ?? null;
  const choices = [...page.querySelectorAll('[name=choice]:checked')].flatMap(
    (choice) => controlSelector(choice) ?? [],
  );
  const focused = savedFocus(page);
  const countries = [...page.querySelectorAll<HTMLOptionElement>('[name=country] > :not([value=""])')].map(
    ({ value, text }) => ({ code: value, name: text }),
  );
  const items = page.querySelector('.order ul');
  page.remove();
  return { values, locale, method, items, choices, focused, countries };
}

function savedFocus(page: Element): SavedInput['focused'] {
  const { activeElement } = document;
  if (!activeElement || activeElement === page || !page.contains(activeElement)) return null;
  const selector = controlSelector(activeElement);
  if (selector === null) return null;
  if (!(activeElement instanceof HTMLInputElement)) return { selector, selection: null };
  const { selectionStart, selectionEnd } = activeElement;
  return {
    selector,
    selection: selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd],
  };
}

/** Selector of the same control in the page that the script renders; null if the element is not a control. */
function controlSelector(element: Element): string | null {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  if (element.matches('.pay')) return '.pay';
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return null;
  const panel = element.closest<HTMLElement>('[data-method]')?.dataset['method'];
  const prefix = panel === undefined ? '' : `[data-method="${CSS.escape(panel)}"] `;
  return `${prefix}[name="${element.name}"][value="${CSS.escape(element.value)}"]`;
}

/** Restores the buyer's input in the page that the script rendered. */
export function restoreInput(page: Element, { values, choices, focused }: SavedInput): void {
  for (const [selector, value] of values) {
    const target = page.querySelector<Control>(selector);
    if (!target || target.value === value) continue;
    target.value = value;
    target.dispatchEvent(new Event('input', { bubbles: true }));
  }
  for (const selector of choices) page.querySelector<HTMLInputElement>(selector)?.click();
  const target = focused && page.querySelector<HTMLElement>(focused.selector);
  if (!target) return;
  target.focus({ preventScroll: true });
  if (target instanceof HTMLInputElement && target.type !== 'email' && focused.selection) {
    target.setSelectionRange(...focused.selection);
  }
}
