import type { QrPath } from '../elements/qr-path.ts';

/*
 * As on the link page, the server-rendered page is removed and rendered again in the same task. This is a separate
 * module and imported first: modules run in import order, and the elements are defined when theirs run.
 */

const CONTROLS = 'a, button, select';

/** Input of the payer before the script started, and parts of the page that can be reused. */
export interface SavedPage {
  /** The QR code as the server rendered it, or null. */
  code: QrPath | null;
  /** Language selected in the picker. */
  locale: string | null;
  /** Index of the focused control; -1 for none. */
  focusedIndex: number;
}

const serverRendered = document.querySelector('invoice-page');

export const savedPage: SavedPage | null = serverRendered && removePage(serverRendered);

function removePage(page: Element): SavedPage {
  const svg = page.querySelector<SVGSVGElement>('.qr-box svg');
  const d = svg?.querySelector('path')?.getAttribute('d');
  const code = svg && d ? { size: svg.viewBox.baseVal.width, d } : null;
  const locale = page.querySelector<HTMLSelectElement>('[name=locale]')?.value ?? null;
  const focused = [...page.querySelectorAll(CONTROLS)].findIndex((control) => control === document.activeElement);
  page.remove();
  return { code, locale, focusedIndex: focused };
}

/** The new page has the same controls in the same order. */
export function restoreFocus(page: Element, { focusedIndex }: SavedPage) {
  [...page.querySelectorAll<HTMLElement>(CONTROLS)][focusedIndex]?.focus({ preventScroll: true });
}
