import type { RouteName } from './routes.ts';
import { writeStored, readStored } from './storage.ts';

/** Pressed after `g`. */
export const pageShortcuts: Readonly<Partial<Record<RouteName, string>>> = {
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

const SINGLE_KEYS_STORAGE_KEY = 'paylatch-account-single-keys';

/** Single-letter shortcuts disturb speech input: they can be turned off (WCAG 2.1.4). */
export function areSingleKeysEnabled(): boolean {
  return readStored(SINGLE_KEYS_STORAGE_KEY) !== 'off';
}

export function setSingleKeysEnabled(isEnabled: boolean): void {
  writeStored(SINGLE_KEYS_STORAGE_KEY, isEnabled ? 'on' : 'off');
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
export function paletteShortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
}
