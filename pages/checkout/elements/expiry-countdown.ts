import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type Clock, stoppedClock } from './clock.ts';
import { LightElement } from './light-element.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Seconds are shown only for the last ten minutes, so that they don't rush the buyer. */
const SHOW_SECONDS_BELOW = 10 * MINUTE;
/** Minutes at which screen readers announce the remaining time, once each. */
const ANNOUNCE_AT_MINUTES = [10, 5, 1];

/**
 * Time left to pay in the last hour, independent of the device's clock. At zero the page reads the state from the
 * server: only the server expires a payment.
 *
 * @fires countdown-over - the deadline has passed on this page's clock
 * @fires announce - `detail` is the announcement for the page's live region
 */
@customElement('expiry-countdown')
export class ExpiryCountdown extends LightElement {
  @property({ attribute: false }) clock: Clock = stoppedClock;
  /** Deadline, on `clock`. */
  @property({ attribute: false }) deadlineMs = 0;
  /** Label of the countdown, also shown before the last hour. */
  @property({ attribute: false }) label: unknown = nothing;

  #cancelTick = () => {};
  #announcedMinutes = Number.POSITIVE_INFINITY;
  #isOver = false;

  override connectedCallback() {
    super.connectedCallback();
    // Timers of hidden tabs and sleeping devices are late, so the time is updated immediately.
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
    if (this.#leftMs > HOUR) return this.label;
    return html`${this.label}<span class="countdown" role="timer">${this.#text(this.#leftMs)}</span>`;
  }

  #text(left: number): string {
    if (left === 0) return this.i18n.text('time.expired');
    if (left <= SHOW_SECONDS_BELOW) {
      const seconds = Math.ceil(left / SECOND);
      const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      return this.i18n.text('time.clock', { clock });
    }
    return this.i18n.text('time.minutes', { minutes: Math.ceil(left / MINUTE) });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'expiry-countdown': ExpiryCountdown;
  }
}
