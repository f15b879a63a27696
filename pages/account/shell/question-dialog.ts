import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { Question } from '../context.ts';
import { button } from '../parts.ts';

/** Asks before something is done. */
@customElement('question-dialog')
export class QuestionDialog extends AccountElement {
  @state() private question: Question | null = null;

  #answer: ((answer: FormData | null) => void) | null = null;

  get #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  /** The values of the fields; null where the person thought better of it, or another question came between. */
  async ask(question: Question): Promise<FormData | null> {
    this.#answer?.(null);
    this.question = question;
    return await new Promise((resolve) => {
      this.#answer = resolve;
    });
  }

  /** Whoever asked is gone. */
  dismiss(): void {
    this.#answered(null);
    this.#dialog?.close();
  }

  #answered(answer: FormData | null) {
    this.#answer?.(answer);
    this.#answer = null;
    this.question = null;
  }

  /** The browser tells it a moment later: by then the next question may stand there, which this is no answer to. */
  #closed() {
    if (!this.#dialog?.open) this.#answered(null);
  }

  protected override updated() {
    if (this.question && !this.#dialog?.open) this.#dialog?.showModal();
  }

  override render() {
    return html`<dialog class="question" aria-labelledby="question-heading" @close=${() => this.#closed()}>
      ${this.question === null ? nothing : this.#form(this.question)}
    </dialog>`;
  }

  #form({ heading, text, fields, confirm, dismiss, isGrave }: Question) {
    const submitted = (event: SubmitEvent) => {
      event.preventDefault();
      this.#answered(new FormData(event.target as HTMLFormElement));
      this.#dialog?.close();
    };
    return html`<form class="question-form" @submit=${submitted}>
      <h2 class="question-heading" id="question-heading">${heading}</h2>
      ${text === undefined ? nothing : html`<div class="question-text">${text}</div>`} ${fields ?? nothing}
      <div class="question-actions">
        ${button(dismiss ?? this.text('shell.cancel'), () => this.#dialog?.close())}
        ${button(confirm, null, { kind: isGrave ? 'grave' : 'main' })}
      </div>
    </form>`;
  }
}
