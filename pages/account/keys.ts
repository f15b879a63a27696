import type { RouteName } from './routes.ts';
import { store, stored } from './storage.ts';

/** Pressed after `g`. */
export const goKeys: Readonly<Partial<Record<RouteName, string>>> = {
  overview: 'o',
  transactions: 't',
  decisions: 'd',
  new_link: 'n',
  crypto: 'c',
  settings: 's',
  integration: 'i',
  team: 'p',
  audit_log: 'a',
};

const KEY = 'paylatch-account-single-keys';

/** Single-letter shortcuts disturb speech input: they can be turned off (WCAG 2.1.4). */
export function usesSingleKeys(): boolean {
  return stored(KEY) !== 'off';
}

export function useSingleKeys(isOn: boolean): void {
  store(KEY, isOn ? 'on' : 'off');
}

/** Whether a key that is pressed there is a part of what somebody writes or chooses. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** Whether a dialog takes the keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('wa-dialog[open], wa-drawer[open]') !== null;
}

/** As this machine's keys are labelled. */
export function paletteKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
}
