import type { Clock } from './clock.ts';

const SAME_MOMENT_MS = 100;

interface Speaker {
  clock: Clock;
  requestUpdate(): void;
}

/** The text of a page's live region. Screen readers skip a region that is inserted together with its text. */
export class Announcer {
  text = '';
  #isSpeaking = false;
  readonly #host: Speaker;

  constructor(host: Speaker) {
    this.#host = host;
  }

  say(text: string) {
    // Texts of the same moment are joined: the later one would silence the earlier.
    const joined = this.#isSpeaking ? `${this.text} ${text}` : text;
    this.#isSpeaking = true;
    this.#host.clock.after(SAME_MOMENT_MS, () => {
      this.#isSpeaking = false;
    });
    // Screen readers announce a repeated text only if it differs. A no-break space is silent.
    this.text = joined === this.text ? `${joined}\u00a0` : joined;
    this.#host.requestUpdate();
  }
}
