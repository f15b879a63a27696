import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { pageShortcuts, paletteShortcut, areSingleKeysEnabled, setSingleKeysEnabled } from '../keys.ts';
import type { RouteName } from '../routes.ts';
import { button } from '../parts.ts';
import { checkField } from '../choices.ts';
import { dialogBox } from '../dialog-box.ts';

/** Tells which keys there are, and turns single letters off for those whom they disturb. */
@customElement('keys-dialog')
export class ShortcutsDialog extends AccountElement {
  /** The pages that this person may go to. */
  @property({ attribute: false }) pages: readonly RouteName[] = [];

  @state() private isShown = false;

  open() {
    this.isShown = true;
  }

  override render() {
    const close = () => (this.isShown = false);
    return dialogBox({
      className: 'keys',
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
    return html`<div class="question-form">
      <h2 class="question-heading">${this.text('shell.keys.title')}</h2>
      <dl class="keys-list">
        ${row([paletteShortcut()], this.text('shell.palette.label'))} ${row(['?'], this.text('shell.keys.title'))} ${pages}
      </dl>
      ${checkField({ text: this.text('shell.keys.single'), isChecked: areSingleKeysEnabled(), onChange: setSingleKeysEnabled })}
      <div class="question-actions">
        ${button(this.text('shell.close'), close, { kind: 'main' })}
      </div>
    </div>`;
  }
}
