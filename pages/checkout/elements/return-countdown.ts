import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type Clock, standingClock } from './clock.ts';
import { LightElement } from './light-element.ts';

const SECONDS_BEFORE_RETURN = 3;

/**
 * The way back to the shop by itself, after a few seconds that are said and can be stopped.
 *
 * @fires return-due - the seconds are over
 * @fires announce - `detail` is a text for the page's live region
 */
@customElement('return-countdown')
export class ReturnCountdown extends LightElement {
  @property({ attribute: false }) clock: Clock = standingClock;
  @property({ attribute: false }) merchantName = '';

  @state() private secondsLeft = SECONDS_BEFORE_RETURN;
  @state() private isStopped = false;

  #cancelTick = () => {};

  protected override firstUpdated() {
    this.#schedule();
    this.tell('announce', this.#text());
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#cancelTick();
  }

  #schedule() {
    if (this.isStopped) return;
    this.#cancelTick = this.clock.after(1000, () => {
      this.secondsLeft--;
      if (this.secondsLeft > 0) this.#schedule();
      else this.tell('return-due', null);
    });
  }

  #stop() {
    this.isStopped = true;
    this.#cancelTick();
  }

  #text(): string {
    return this.words.text('return.soon', { merchant: this.merchantName, count: this.secondsLeft });
  }

  override render() {
    // Come back to from the shop, the page counts no further.
    if (this.isStopped || this.secondsLeft <= 0) return nothing;
    return html`<div class="return">
      <p>${this.#text()}</p>
      <button type="button" class="button" @click=${() => this.#stop()}>${this.words.text('return.stay')}</button>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'return-countdown': ReturnCountdown;
  }
}
