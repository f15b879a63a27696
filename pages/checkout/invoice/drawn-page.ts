import type { QrPath } from '../elements/qr-path.ts';

/*
 * As on the link page, what the server drew is taken out and drawn anew in the same task. A module of its
 * own, imported first, because modules run in the order of their imports and the elements are defined while
 * theirs run.
 */

const CONTROLS = 'a, button, select';

/** What the payer had done before the script was there, and what need not be made again. */
export interface DrawnPage {
  /** The code as the server has drawn it; null where it has not. */
  code: QrPath | null;
  /** The language that stands in the picker. */
  locale: string | null;
  /** Which of the controls had the focus; -1 for none. */
  focused: number;
}

const drawn = document.querySelector('invoice-page');

export const drawnPage: DrawnPage | null = drawn && takeOut(drawn);

function takeOut(page: Element): DrawnPage {
  const svg = page.querySelector<SVGSVGElement>('.qr-box svg');
  const d = svg?.querySelector('path')?.getAttribute('d');
  const code = svg && d ? { size: svg.viewBox.baseVal.width, d } : null;
  const locale = page.querySelector<HTMLSelectElement>('[name=locale]')?.value ?? null;
  const focused = [...page.querySelectorAll(CONTROLS)].findIndex((control) => control === document.activeElement);
  page.remove();
  return { code, locale, focused };
}

/** The page that now stands there has the same controls in the same order. */
export function focusAgain(page: Element, { focused }: DrawnPage) {
  [...page.querySelectorAll<HTMLElement>(CONTROLS)][focused]?.focus({ preventScroll: true });
}
