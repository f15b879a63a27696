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
    // Texts of the same moment are joined: the later one would silence the earlier.
    const joined = this.#isJoining ? `${this.text} ${text}` : text;
    this.#isJoining = true;
    this.#host.clock.after(JOIN_WITHIN_MS, () => {
      this.#isJoining = false;
    });
    // Screen readers announce a repeated text only if it differs. A no-break space is silent.
    this.text = joined === this.text ? `${joined}\u00a0` : joined;
    this.#host.requestUpdate();
  }
}
