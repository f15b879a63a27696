/*
 * The script does not hydrate what the server drew: translators and password managers change it
 * before the script runs, and hydration throws at the first difference. The page is taken out, drawn
 * anew in the same task, before anything is painted, and given back what had been typed.
 */

/** What the buyer had done before the script was there. */
export interface TypedSoFar {
  /** By the selectors of fields. */
  values: ReadonlyMap<string, string>;
  /** The language that stands in the picker; null where there is none. */
  locale: string | null;
  /** Code of the method that was open; null where there was nothing to choose. */
  method: string | null;
  /** Selectors of the banks and coins that were chosen. */
  choices: readonly string[];
  focused: { selector: string; selection: [number, number] | null } | null;
}

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Takes the drawn element out of the document, and what has been typed out of it. Must run before
 * the elements are defined, or they would begin to live inside the server's drawing.
 */
export function takeDrawn(drawn: Element): TypedSoFar {
  const values = new Map<string, string>();
  for (const control of drawn.querySelectorAll<Control>('.field')) {
    const selector = selectorOf(control);
    if (control.value !== '' && selector !== null) values.set(selector, control.value);
  }
  const locale = drawn.querySelector<HTMLSelectElement>('[name=locale]')?.value ?? null;
  const method = drawn.querySelector<HTMLInputElement>('[name=method]:checked')?.value ?? null;
  const choices = [...drawn.querySelectorAll('[name=choice]:checked')].flatMap((choice) => selectorOf(choice) ?? []);
  const focused = focusWithin(drawn);
  drawn.remove();
  return { values, locale, method, choices, focused };
}

function focusWithin(drawn: Element): TypedSoFar['focused'] {
  const { activeElement } = document;
  if (!activeElement || activeElement === drawn || !drawn.contains(activeElement)) return null;
  const selector = selectorOf(activeElement);
  if (selector === null) return null;
  if (!(activeElement instanceof HTMLInputElement)) return { selector, selection: null };
  const { selectionStart, selectionEnd } = activeElement;
  return {
    selector,
    selection: selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd],
  };
}

/** What finds the same control in the page that the script draws; null for what is no control. */
function selectorOf(element: Element): string | null {
  if (element.id !== '') return `#${CSS.escape(element.id)}`;
  if (element.matches('.pay')) return '.pay';
  if (!(element instanceof HTMLInputElement) || element.type !== 'radio') return null;
  const panel = element.closest<HTMLElement>('[data-method]')?.dataset['method'];
  const within = panel === undefined ? '' : `[data-method="${CSS.escape(panel)}"] `;
  return `${within}[name="${element.name}"][value="${CSS.escape(element.value)}"]`;
}

/** Puts what had been typed into the page that now stands there. */
export function giveBack(page: Element, { values, choices, focused }: TypedSoFar): void {
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
