import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import type { Question } from '../context.ts';
import { dialogBox } from '../dialog-box.ts';
import { button } from '../parts.ts';

/** Asks before something is done. */
@customElement('question-dialog')
export class QuestionDialog extends AccountElement {
  @state() private question: Question | null = null;

  #given: FormData | null = null;
  #resolve: ((answer: FormData | null) => void) | null = null;

  /** The values of the fields, once the dialog is closed; null if it was dismissed or another question replaced it. */
  async ask(question: Question): Promise<FormData | null> {
    this.#answer();
    this.question = question;
    return await new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** The page that asked is gone. */
  dismiss(): void {
    this.#close(null);
    this.#answer();
  }

  #close(given: FormData | null) {
    this.#given = given;
    this.question = null;
  }

  #answer() {
    this.#resolve?.(this.#given);
    this.#resolve = null;
    this.#given = null;
  }

  override render() {
    const { question } = this;
    return dialogBox({
      label: question?.heading ?? '',
      isOpen: question !== null,
      content: question === null ? html`` : this.#form(question),
      dismiss: () => this.#close(null),
      closed: () => this.#answer(),
    });
  }

  #form({ heading, text, fields, confirm, dismiss, isGrave }: Question) {
    const submitted = (event: SubmitEvent) => {
      event.preventDefault();
      this.#close(new FormData(event.target as HTMLFormElement));
    };
    return html`<form class="question-form" @submit=${submitted}>
      <h2 class="question-heading">${heading}</h2>
      ${text === undefined ? nothing : html`<div class="question-text">${text}</div>`} ${fields ?? nothing}
      <div class="question-actions">
        ${button(dismiss ?? this.text('shell.cancel'), () => this.#close(null))}
        ${button(confirm, null, { kind: isGrave ? 'grave' : 'main' })}
      </div>
    </form>`;
  }
}
