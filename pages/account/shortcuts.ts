import type { RouteName } from './routes.ts';
import { writeStored, readStored } from './storage.ts';

/** Shortcuts of pages, pressed after `g`. */
export const pageShortcuts: Readonly<Partial<Record<RouteName, string>>> = {
  overview: 'o',
  transactions: 't',
  reviews: 'd',
  new_link: 'n',
  crypto: 'c',
  settings: 's',
  integration: 'i',
  team: 'p',
  audit_log: 'a',
};

const SINGLE_KEYS_STORAGE_KEY = 'paylatch-account-single-keys';

/** Single-letter shortcuts interfere with speech input, so users can turn them off (WCAG 2.1.4). */
export function areSingleKeysEnabled(): boolean {
  return readStored(SINGLE_KEYS_STORAGE_KEY) !== 'off';
}

export function setSingleKeysEnabled(isEnabled: boolean): void {
  writeStored(SINGLE_KEYS_STORAGE_KEY, isEnabled ? 'on' : 'off');
}

/** True if the key event belongs to a text field or select. */
export function isTextInput(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** True while a dialog is open and receives all keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('wa-dialog[open], wa-drawer[open]') !== null;
}

/** The palette's shortcut with the key labels of this platform. */
export function paletteShortcut(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
}
