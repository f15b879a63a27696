import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { Prompt } from '../context.ts';
import { dialogBox } from '../dialog-box.ts';
import { button } from '../parts.ts';

/** Asks before something is done. */
@customElement('question-dialog')
export class PromptDialog extends AccountElement {
  @state() private current: Prompt | null = null;

  #answer: FormData | null = null;
  #resolve: ((answer: FormData | null) => void) | null = null;

  /** The values of the fields, once the dialog is closed; null if it was dismissed or another question replaced it. */
  async open(prompt: Prompt): Promise<FormData | null> {
    this.#resolveAnswer();
    this.current = prompt;
    return await new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The page that asked is gone. */
  dismiss(): void {
    this.#close(null);
    this.#resolveAnswer();
  }

  #close(answer: FormData | null) {
    this.#answer = answer;
    this.current = null;
  }

  #resolveAnswer() {
    this.#resolve?.(this.#answer);
    this.#resolve = null;
    this.#answer = null;
  }

  override render() {
    const { current } = this;
    return dialogBox({
      label: current?.heading ?? '',
      isOpen: current !== null,
      content: current === null ? html`` : this.#form(current),
      onDismiss: () => this.#close(null),
      onClosed: () => this.#resolveAnswer(),
    });
  }

  #form({ heading, text, fields, confirm, dismiss, isDestructive }: Prompt) {
    const handleSubmit = (event: SubmitEvent) => {
      event.preventDefault();
      this.#close(new FormData(event.target as HTMLFormElement));
    };
    return html`<form class="question-form" @submit=${handleSubmit}>
      <h2 class="question-heading">${heading}</h2>
      ${text === undefined ? nothing : html`<div class="question-text">${text}</div>`} ${fields ?? nothing}
      <div class="question-actions">
        ${button(dismiss ?? this.text('shell.cancel'), () => this.#close(null))}
        ${button(confirm, null, { kind: isDestructive ? 'grave' : 'main' })}
      </div>
    </form>`;
  }
}
