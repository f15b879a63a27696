import { areSingleKeysEnabled, isDialogOpen, isTextInput } from '../shortcuts.ts';

/** The command for a key press: focus the search field, or move by one row. Null for other keys, and while the user types. */
export function listKeyOf(event: KeyboardEvent): 'search' | 1 | -1 | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  if (isDialogOpen() || isTextInput(event)) return null;
  const isInList = (event.target as Element | null)?.closest?.('.transaction-list') instanceof Element;
  const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
  if (isArrow ? !isInList : !areSingleKeysEnabled()) return null;
  if (event.key === '/') return 'search';
  if (event.key === 'j' || event.key === 'ArrowDown') return 1;
  return event.key === 'k' || event.key === 'ArrowUp' ? -1 : null;
}
