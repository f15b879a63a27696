import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LightElement } from '../../checkout/elements/light-element.ts';
import { goKeys, paletteKey, usesSingleKeys, useSingleKeys } from '../keys.ts';
import type { RouteName } from '../routes.ts';

/** Tells which keys there are, and turns single letters off for those whom they disturb. */
@customElement('keys-dialog')
export class KeysDialog extends LightElement {
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

  #text(key: string): string {
    return this.words.text(`account.shell.${key}`);
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
      return key === undefined ? [] : [row(['g', key], this.#text(`pages.${name}`))];
    });
    return html`<div class="question-form">
      <h2 class="question-heading" id="keys-heading">${this.#text('keys.title')}</h2>
      <dl class="keys-list">
        ${row([paletteKey()], this.#text('palette.label'))} ${row(['?'], this.#text('keys.title'))} ${pages}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          ?checked=${usesSingleKeys()}
          @change=${(event: Event) => useSingleKeys((event.target as HTMLInputElement).checked)}
        />
        ${this.#text('keys.single')}
      </label>
      <div class="question-actions">
        <button class="button button-main" type="button" @click=${() => this.#dialog?.close()}>
          ${this.#text('close')}
        </button>
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'keys-dialog': KeysDialog;
  }
}
