import { html, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { LightElement } from '../elements/light-element.ts';
import { statusMark } from '../elements/status-mark.ts';

/**
 * What banks draw their pages for: EMV 3-D Secure, challengeWindowSize 03, 02 and, where neither has
 * room, 05, which takes what there is.
 */
const windowSizes = [
  { width: '500', height: '600', needs: 500 },
  { width: '390', height: '400', needs: 390 },
  { width: '100%', height: '600', needs: 0 },
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
  /** What did not work, in words; it stands where the buyer is looking. */
  @property({ attribute: false }) problem = '';

  @state() private address: string | null = null;
  /** Whether a page of the bank has come; until then something shows that one will. */
  @state() private hasArrived = false;
  @query('dialog') private readonly dialog!: HTMLDialogElement | null;

  show(address: string) {
    this.address = address;
    void this.#open();
  }

  async #open() {
    await this.updateComplete;
    if (!this.dialog || this.dialog.open) return;
    this.dialog.showModal();
    // A dialog takes no room of its own, and the frame is only as high as what takes some.
    document.body.style.minBlockSize = `${this.dialog.offsetHeight}px`;
  }

  close() {
    if (this.address === null) return;
    this.dialog?.close();
    this.address = null;
    this.hasArrived = false;
    document.body.style.minBlockSize = '';
  }

  override render() {
    if (this.address === null) return nothing;
    const available = document.documentElement.clientWidth - MARGIN;
    const size = windowSizes.find(({ needs }) => needs <= available) ?? windowSizes[2];
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
      <p class="challenge-problem" role="alert">${this.problem}</p>
      <div class="challenge-body">
        ${this.hasArrived ? nothing : statusMark('pulse')}
        <iframe
        title=${this.words.text('frame.challenge_frame')}
        width=${size.width}
        height=${size.height}
        sandbox="allow-scripts allow-forms allow-same-origin"
        src=${this.address}
        @load=${() => {
          this.hasArrived = true;
          this.tell('challenge-step', null);
        }}
      ></iframe>
      </div>
    </dialog>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'challenge-dialog': ChallengeDialog;
  }
}
