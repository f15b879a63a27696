import { html, type LitElement } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { isDialogOpen, isTextInput, areSingleKeysEnabled } from '../shortcuts.ts';
import { listenTo } from '../listeners.ts';

const GO_PREFIX_MS = 1500;

interface QueueActions {
  move: (step: 1 | -1) => void;
  /** Actions of single letters. */
  actions: Readonly<Record<string, () => void>>;
}

/** Shortcuts of the review queue: arrow keys within it, and single letters unless they are turned off. */
export function listenForShortcuts(host: LitElement, { move, actions }: QueueActions): void {
  const shortcuts: QueueActions['actions'] = { j: () => move(1), k: () => move(-1), ...actions };
  let goPrefixExpiresAt = 0;
  listenTo(host, window, {
    keydown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isDialogOpen()) return;
      const [target] = event.composedPath();
      const isCheckbox = target instanceof HTMLInputElement && target.type === 'checkbox';
      if (isTextInput(event) && !isCheckbox) return;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const { activeElement } = document;
        if (!host.contains(activeElement) || activeElement?.matches('h1')) return;
        move(event.key === 'ArrowDown' ? 1 : -1);
        event.preventDefault();
        return;
      }
      if (!areSingleKeysEnabled()) return;
      // A letter after `g` opens another page.
      const isPageShortcut = event.timeStamp < goPrefixExpiresAt;
      goPrefixExpiresAt = event.key === 'g' ? event.timeStamp + GO_PREFIX_MS : 0;
      const action = isPageShortcut ? undefined : shortcuts[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    },
  });
}

/** Hints for the single letters. */
export function shortcutHints(i18n: I18n) {
  return ['j', 'k', 'x', 'a', 'r', 'u'].map(
    (key) => html`<span><kbd>${key}</kbd> ${i18n.text(`account.reviews.key_${key}`)}</span>`,
  );
}
