/*
 * The script does not hydrate what the server drew: translators and password managers change it
 * before the script runs, and hydration throws at the first difference. The page is taken out, drawn
 * anew in the same task, before anything is painted, and given back what had been typed.
 */

/** What the buyer had done before the script was there. */
export interface TypedSoFar {
  values: ReadonlyMap<string, string>;
  focused: { name: string; selection: [number, number] | null } | null;
}

/**
 * Takes the drawn element out of the document, and what has been typed out of it. Must run before
 * the elements are defined, or they would begin to live inside the server's drawing.
 */
export function takeDrawn(drawn: Element): TypedSoFar {
  const values = new Map<string, string>();
  for (const control of drawn.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
    'input:not([type=radio]), select',
  )) {
    if (control.value !== '') values.set(control.name, control.value);
  }
  const focused = focusWithin(drawn);
  drawn.remove();
  return { values, focused };
}

function focusWithin(drawn: Element): TypedSoFar['focused'] {
  const { activeElement } = document;
  if (!drawn.contains(activeElement)) return null;
  if (activeElement instanceof HTMLSelectElement) return { name: activeElement.name, selection: null };
  if (!(activeElement instanceof HTMLInputElement)) return null;
  const { name, selectionStart, selectionEnd } = activeElement;
  return { name, selection: selectionStart === null || selectionEnd === null ? null : [selectionStart, selectionEnd] };
}

/** Puts what had been typed into the page that now stands there. */
export function giveBack(page: Element, { values, focused }: TypedSoFar): void {
  const form = page.querySelector('form');
  const control = (name: string) => {
    const found = form?.elements.namedItem(name);
    return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : null;
  };
  for (const [name, value] of values) {
    const target = control(name);
    if (!target || target.value === value) continue;
    target.value = value;
    target.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const target = focused && control(focused.name);
  if (!target) return;
  target.focus({ preventScroll: true });
  if (target instanceof HTMLInputElement && target.type !== 'email' && focused.selection) {
    target.setSelectionRange(...focused.selection);
  }
}
