import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LightElement } from '../elements/light-element.ts';
import { statusIcon } from '../elements/status-icon.ts';

/**
 * The 3-D Secure challenge in a dialog, as wide as the form: EMV 3-D Secure, challengeWindowSize 05.
 *
 * @fires challenge-load - a page of the issuer, or the return page, has loaded
 * @fires challenge-close - the buyer closed the challenge
 */
@customElement('challenge-dialog')
export class ChallengeDialog extends LightElement {
  /** Error message, shown inside the dialog. */
  @property({ attribute: false }) problem = '';

  @state() private address: string | null = null;
  /** The first page of the issuer has loaded; until then the dialog shows a progress indicator. */
  @state() private isLoaded = false;

  show(address: string) {
    this.address = address;
    void this.#open();
  }

  async #open() {
    await this.updateComplete;
    const dialog = this.querySelector('dialog');
    if (!dialog || dialog.open) return;
    dialog.showModal();
    // An open dialog does not affect the layout, so the body reserves its height for the frame.
    document.body.style.minBlockSize = `${dialog.offsetHeight}px`;
  }

  close() {
    if (this.address === null) return;
    this.querySelector('dialog')?.close();
    this.address = null;
    this.isLoaded = false;
    document.body.style.minBlockSize = '';
  }

  override render() {
    if (this.address === null) return nothing;
    return html`<dialog
      class="challenge"
      aria-labelledby="challenge-title"
      @cancel=${(event: Event) => {
        event.preventDefault();
        this.emit('challenge-close', null);
      }}
    >
      <header class="challenge-head">
        <h2 id="challenge-title">${this.i18n.text('phases.challenge.title')}</h2>
        <button type="button" class="button" @click=${() => this.emit('challenge-close', null)}>
          ${this.i18n.text('frame.close')}
        </button>
      </header>
      <p class="challenge-problem" role="alert">${this.problem}</p>
      <div class="challenge-body">
        ${this.isLoaded ? nothing : statusIcon('pulse')}
        <iframe
        title=${this.i18n.text('frame.challenge_frame')}
        width="100%"
        height="600"
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src=${this.address}
        @load=${() => {
          this.isLoaded = true;
          this.emit('challenge-load', null);
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
