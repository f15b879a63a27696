import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import type { AccountPage } from './account-page.ts';
import { button } from './parts.ts';

interface ChangeSource {
  /** Number of changes; at 0 there is no bar and no prompt. */
  count: () => number;
  discard: () => void;
  save: () => Promise<void>;
}

/** Changes of a page that are saved together: the save bar, and the prompt before they are discarded. */
export class UnsavedChanges implements ReactiveController {
  readonly #page: AccountPage;
  readonly #changes: ChangeSource;
  /** The last save, which may still be running. */
  #saving: Promise<void> = Promise.resolve();
  readonly #beforeUnload = (event: BeforeUnloadEvent) => {
    if (this.#changes.count() > 0) event.preventDefault();
  };

  constructor(page: AccountPage, changes: ChangeSource) {
    this.#page = page;
    this.#changes = changes;
    page.addController(this);
    page.canLeave = async () => await this.#canLeave();
  }

  hostConnected(): void {
    addEventListener('beforeunload', this.#beforeUnload);
  }

  hostDisconnected(): void {
    removeEventListener('beforeunload', this.#beforeUnload);
  }

  #text(key: string, values?: Readonly<Record<string, number>>): string {
    return this.#page.i18n.text(`account.settings.${key}`, values);
  }

  /** Waits for a save in progress, then prompts if there are unsaved changes. Resolves to false to stay on the page. */
  async #canLeave(): Promise<boolean> {
    await Promise.allSettled([this.#saving]);
    const count = this.#changes.count();
    if (count === 0) return true;
    const confirmation = await this.#page.context.prompt({
      heading: this.#text('leave_title'),
      text: this.#text('leave_text', { count }),
      confirm: this.#text('leave'),
      isDestructive: true,
    });
    return confirmation !== null;
  }

  bar(isSaving: boolean): TemplateResult | typeof nothing {
    const { count, discard, save } = this.#changes;
    if (count() === 0) return nothing;
    return html`<div class="save-bar" role="region" aria-label=${this.#text('unsaved')}>
      <p role="status">${this.#text('changes', { count: count() })}</p>
      <div class="row-actions">
        ${button(this.#text('discard'), discard)}
        ${button(this.#text('save'), () => (this.#saving = save()), { kind: 'primary', isBusy: isSaving })}
      </div>
    </div>`;
  }
}
