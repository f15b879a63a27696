import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { goKeys, paletteKey, usesSingleKeys, useSingleKeys } from '../keys.ts';
import type { RouteName } from '../routes.ts';
import { button } from '../parts.ts';

/** Tells which keys there are, and turns single letters off for those whom they disturb. */
@customElement('keys-dialog')
export class KeysDialog extends AccountElement {
  /** The pages that this person may go to. */
  @property({ attribute: false }) pages: readonly RouteName[] = [];

  @state() private isShown = false;

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  open() {
    this.isShown = true;
  }

  protected override updated() {
    if (this.isShown && !this.#dialog?.open) this.#dialog?.showModal();
  }

  override render() {
    return html`<dialog class="question keys" aria-labelledby="keys-heading" @close=${() => (this.isShown = false)}>
      ${this.isShown ? this.#list() : nothing}
    </dialog>`;
  }

  #list() {
    const row = (keys: readonly string[], label: string) =>
      html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${label}</dd></div>`;
    const pages = this.pages.flatMap((name) => {
      const key = goKeys[name];
      return key === undefined ? [] : [row(['g', key], this.text(`shell.pages.${name}`))];
    });
    return html`<div class="question-form">
      <h2 class="question-heading" id="keys-heading">${this.text('shell.keys.title')}</h2>
      <dl class="keys-list">
        ${row([paletteKey()], this.text('shell.palette.label'))} ${row(['?'], this.text('shell.keys.title'))} ${pages}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          ?checked=${usesSingleKeys()}
          @change=${(event: Event) => useSingleKeys((event.target as HTMLInputElement).checked)}
        />
        ${this.text('shell.keys.single')}
      </label>
      <div class="question-actions">
        ${button(this.text('shell.close'), () => this.#dialog?.close(), { kind: 'main' })}
      </div>
    </div>`;
  }
}
