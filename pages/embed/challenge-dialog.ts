import { html, nothing } from 'lit';
import { customElement, query, state } from 'lit/decorators.js';
import { LightElement } from '../elements/light-element.ts';

/** EMV 3-D Secure 2.3.1, challengeWindowSize 03, 02 and 01: what banks draw their pages for; wider than high is not needed. */
const windowSizes = [
  { width: 500, height: 600 },
  { width: 390, height: 400 },
  { width: 250, height: 400 },
] as const;

/** Beside the bank's page: border and padding of the dialog. */
const MARGIN = 2;

/**
 * The bank's confirmation in a dialog, in one of the sizes that banks draw for.
 *
 * @fires challenge-step - another page of the bank, or the way back, has come
 * @fires challenge-leave - the buyer does not want to confirm
 */
@customElement('challenge-dialog')
export class ChallengeDialog extends LightElement {
  @state() private address: string | null = null;
  @query('dialog') private readonly dialog!: HTMLDialogElement | null;

  show(address: string) {
    this.address = address;
    void this.updateComplete.then(() => {
      if (this.dialog && !this.dialog.open) this.dialog.showModal();
      document.body.classList.add('is-challenged');
    });
  }

  close() {
    if (this.address === null) return;
    this.dialog?.close();
    this.address = null;
    document.body.classList.remove('is-challenged');
  }

  override render() {
    if (this.address === null) return nothing;
    const available = document.documentElement.clientWidth - MARGIN;
    const size = windowSizes.find(({ width }) => width <= available) ?? windowSizes[2];
    return html`<dialog
      class="challenge"
      aria-labelledby="challenge-title"
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.tell('challenge-leave', null);
      }}
    >
      <header class="challenge-head">
        <h2 id="challenge-title">${this.words.text('phases.challenge.title')}</h2>
        <button type="button" class="button" @click=${() => this.tell('challenge-leave', null)}>
          ${this.words.text('frame.close')}
        </button>
      </header>
      <iframe
        title=${this.words.text('frame.challenge_frame')}
        width=${size.width}
        height=${size.height}
        sandbox="allow-scripts allow-forms allow-same-origin"
        src=${this.address}
        @load=${() => this.tell('challenge-step', null)}
      ></iframe>
    </dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'challenge-dialog': ChallengeDialog;
  }
}
