import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type Clock, stoppedClock } from './clock.ts';
import { LightElement } from './light-element.ts';

const SECONDS_BEFORE_RETURN = 10;

/**
 * Countdown to the return to the shop, which the buyer can stop.
 *
 * @fires return-due - the countdown has ended
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('return-countdown')
export class ReturnCountdown extends LightElement {
  @property({ attribute: false }) clock: Clock = stoppedClock;
  @property({ attribute: false }) merchantName = '';

  @state() private secondsLeft = SECONDS_BEFORE_RETURN;

  protected override firstUpdated() {
    this.#schedule();
    this.emit('announce', this.#text());
    addEventListener('pagehide', () => this.#stop());
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#stop();
  }

  #schedule() {
    this.clock.after(1000, () => {
      if (this.secondsLeft < 1) return;
      this.secondsLeft--;
      if (this.secondsLeft > 0) this.#schedule();
      else this.emit('return-due', null);
    });
  }

  #stop() {
    this.secondsLeft = 0;
  }

  #text(): string {
    return this.i18n.text('return.countdown', { merchant: this.merchantName, count: this.secondsLeft });
  }

  override render() {
    // Stopped, also when the buyer navigates back to this page from the shop.
    if (this.secondsLeft === 0) return nothing;
    return html`<p class="page-note" aria-hidden="true">${this.#text()}</p><button type="button" class="back-link" @click=${() => this.#stop()}>${this.i18n.text('return.stay')}</button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'return-countdown': ReturnCountdown;
  }
}
