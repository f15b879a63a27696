import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { Prompt } from '../context.ts';
import { dialogBox } from '../dialog-box.ts';
import { button } from '../parts.ts';

/** Dialog of `AccountContext.prompt`. */
@customElement('prompt-dialog')
export class PromptDialog extends AccountElement {
  @state() private current: Prompt | null = null;

  #values: FormData | null = null;
  #resolve: ((values: FormData | null) => void) | null = null;

  /**
   * Resolves to the field values after the dialog has closed; null if it was dismissed, or another prompt is open: the
   * user may be answering that one.
   */
  async open(prompt: Prompt): Promise<FormData | null> {
    if (this.current) return null;
    this.#resolvePrompt();
    this.current = prompt;
    return await new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Closes the prompt of a page that was left. */
  dismiss(): void {
    this.#close(null);
    this.#resolvePrompt();
  }

  #close(values: FormData | null) {
    this.#values = values;
    this.current = null;
  }

  #resolvePrompt() {
    this.#resolve?.(this.#values);
    this.#resolve = null;
    this.#values = null;
  }

  override render() {
    const { current } = this;
    return dialogBox({
      label: current?.heading ?? '',
      isOpen: current !== null,
      content: current === null ? html`` : this.#form(current),
      onDismiss: () => this.#close(null),
      onClosed: () => this.#resolvePrompt(),
    });
  }

  #form({ heading, text, fields, confirm, dismiss, isDestructive }: Prompt) {
    const handleSubmit = (event: SubmitEvent) => {
      event.preventDefault();
      this.#close(new FormData(event.target as HTMLFormElement));
    };
    return html`<form class="dialog-form" @submit=${handleSubmit}>
      <h2 class="dialog-heading">${heading}</h2>
      ${text === undefined ? nothing : html`<div class="dialog-text">${text}</div>`} ${fields ?? nothing}
      <div class="dialog-actions">
        ${button(dismiss ?? this.text('shell.cancel'), () => this.#close(null))}
        ${button(confirm, null, { kind: isDestructive ? 'danger' : 'primary' })}
      </div>
    </form>`;
  }
}
