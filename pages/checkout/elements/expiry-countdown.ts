import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Clock, stoppedClock } from './clock.ts';
import { LightElement } from './light-element.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Seconds are shown only for the last ten minutes, so that they don't rush the buyer. */
const SHOW_SECONDS_BELOW = 10 * MINUTE;
/** Minutes at which screen readers announce the remaining time, once each. */
const ANNOUNCE_AT_MINUTES = [10, 5, 1];

/**
 * Time left to pay, independent of the device's clock. At zero the page asks the server, which decides.
 *
 * @fires countdown-over - the deadline has passed on this page's clock
 * @fires announce - `detail` is a text for the page's live region
 */
@customElement('expiry-countdown')
export class ExpiryCountdown extends LightElement {
  @property({ attribute: false }) clock: Clock = stoppedClock;
  /** Deadline, on `clock`. */
  @property({ attribute: false }) deadlineMs = 0;
  /** Total duration, for the ring; 0 if unknown. */
  @property({ attribute: false }) lifetimeMs = 0;

  #cancelTick = () => {};
  #announcedMinutes = Number.POSITIVE_INFINITY;
  #isOver = false;

  override connectedCallback() {
    super.connectedCallback();
    // Timers of hidden tabs and sleeping devices are late, so the time is updated at once.
    document.addEventListener('visibilitychange', this.#refresh);
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#refresh);
    this.#cancelTick();
  }

  readonly #refresh = () => this.requestUpdate();

  get #leftMs(): number {
    return Math.max(0, this.deadlineMs - this.clock.now());
  }

  protected override updated(changed: PropertyValues<this>) {
    const left = this.#leftMs;
    // Only a deadline in the future restarts the countdown: each server response shifts a past deadline slightly.
    if (changed.has('deadlineMs') && left > 0) this.#isOver = false;
    this.#cancelTick();
    if (left === 0) {
      if (!this.#isOver) {
        this.#isOver = true;
        this.emit('countdown-over', null);
      }
      return;
    }
    this.#announce(left);
    const unit = left > SHOW_SECONDS_BELOW ? MINUTE : SECOND;
    this.#cancelTick = this.clock.after(left % unit || unit, () => this.requestUpdate());
  }

  #announce(left: number) {
    const minutes = Math.ceil(left / MINUTE);
    const isFirst = this.#announcedMinutes === Number.POSITIVE_INFINITY;
    const reached = ANNOUNCE_AT_MINUTES.find((threshold) => minutes <= threshold && this.#announcedMinutes > threshold);
    this.#announcedMinutes = Math.min(this.#announcedMinutes, minutes);
    if (reached !== undefined && !isFirst) this.emit('announce', this.i18n.text('time.announce', { count: minutes }));
  }

  override render() {
    const left = this.#leftMs;
    return html`<span class="countdown" role="timer">
      <span>${this.#text(left)}</span>
      ${this.lifetimeMs > 0 ? this.#ring(Math.min(1, left / this.lifetimeMs)) : nothing}
    </span>`;
  }

  #ring(share: number) {
    return html`<svg class="countdown-ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" class="countdown-track" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          class="countdown-rest"
          pathLength="100"
          transform="rotate(-90 8 8)"
          stroke-dasharray="${(share * 100).toFixed(1)} 100"
        />
      </svg>`;
  }

  #text(left: number): string {
    if (left === 0) return this.i18n.text('time.over');
    if (left <= SHOW_SECONDS_BELOW) {
      const seconds = Math.ceil(left / SECOND);
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      return this.i18n.text('time.clock', { clock });
    }
    const total = Math.ceil(left / MINUTE);
    const hours = Math.floor(total / 60);
    const minutes = total % 60;
    if (hours > 0 && minutes === 0) return this.i18n.text('time.hours_only', { hours });
    return hours > 0 ? this.i18n.text('time.hours', { hours, minutes }) : this.i18n.text('time.minutes', { minutes });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'expiry-countdown': ExpiryCountdown;
  }
}
