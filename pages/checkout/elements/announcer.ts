import type { Clock } from './clock.ts';

const JOIN_WITHIN_MS = 100;

interface AnnouncerHost {
  clock: Clock;
  requestUpdate(): void;
}

/** The text of a page's live region. Screen readers skip a region that is inserted together with its text. */
export class Announcer {
  text = '';
  #isJoining = false;
  readonly #host: AnnouncerHost;

  constructor(host: AnnouncerHost) {
    this.#host = host;
  }

  announce(text: string) {
    // Announcements in quick succession are joined; otherwise the later one would interrupt the earlier one.
    const joined = this.#isJoining ? `${this.text} ${text}` : text;
    this.#isJoining = true;
    this.#host.clock.after(JOIN_WITHIN_MS, () => {
      this.#isJoining = false;
    });
    // Screen readers skip text that equals the previous announcement. A no-break space is silent.
    this.text = joined === this.text ? `${joined}\u00a0` : joined;
    this.#host.requestUpdate();
  }
}
