import type { Clock } from './clock.ts';

const SAME_MOMENT_MS = 100;

interface Speaker {
  clock: Clock;
  requestUpdate(): void;
}

/** What a page's live region says. The region stands in the page from the start: one that comes with its news is not read. */
export class Announcer {
  text = '';
  #isSpeaking = false;
  readonly #host: Speaker;

  constructor(host: Speaker) {
    this.#host = host;
  }

  say(text: string) {
    // What is said at the same moment is said in one go: the later text would silence the earlier.
    const joined = this.#isSpeaking ? `${this.text} ${text}` : text;
    this.#isSpeaking = true;
    this.#host.clock.after(SAME_MOMENT_MS, () => {
      this.#isSpeaking = false;
    });
    // The same words twice are a change only when they differ by something, here a space nobody hears.
    this.text = joined === this.text ? `${joined}\u00a0` : joined;
    this.#host.requestUpdate();
  }
}
