import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { pageShortcuts, paletteShortcut, areSingleKeysEnabled, setSingleKeysEnabled } from '../shortcuts.ts';
import type { RouteName } from '../routes.ts';
import { button } from '../parts.ts';
import { checkField } from '../choices.ts';
import { dialogBox } from '../dialog-box.ts';

/** Lists the keyboard shortcuts and turns single letters on or off. */
@customElement('shortcuts-dialog')
export class ShortcutsDialog extends AccountElement {
  /** Pages that the user may open. */
  @property({ attribute: false }) pages: readonly RouteName[] = [];

  @state() private isShown = false;

  open() {
    this.isShown = true;
  }

  override render() {
    const close = () => (this.isShown = false);
    return dialogBox({
      className: 'shortcuts',
      label: this.text('shell.keys.title'),
      isOpen: this.isShown,
      content: this.#list(close),
      onDismiss: close,
    });
  }

  #list(close: () => void) {
    const row = (keys: readonly string[], label: string) =>
      html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${label}</dd></div>`;
    const pages = this.pages.flatMap((name) => {
      const key = pageShortcuts[name];
      return key === undefined ? [] : [row(['g', key], this.text(`shell.pages.${name}`))];
    });
    return html`<div class="dialog-form">
      <h2 class="dialog-heading">${this.text('shell.keys.title')}</h2>
      <dl class="shortcut-list">
        ${row([paletteShortcut()], this.text('shell.palette.label'))} ${row(['?'], this.text('shell.keys.title'))} ${pages}
      </dl>
      ${checkField({ text: this.text('shell.keys.single'), isChecked: areSingleKeysEnabled(), onChange: setSingleKeysEnabled })}
      <div class="dialog-actions">
        ${button(this.text('shell.close'), close, { kind: 'primary' })}
      </div>
    </div>`;
  }
}
