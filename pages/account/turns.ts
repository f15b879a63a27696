import type { ReactiveControllerHost } from 'lit';

/** What is done one after the other: nothing that somebody has confirmed is lost, and the same is not done twice at a time. */
export class Turns {
  readonly #host: ReactiveControllerHost;
  readonly #taken = new Set<string>();
  #last = Promise.resolve();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Whether it is being done or will be; `save` stands for `save https://shop.example` as well. */
  has(name: string): boolean {
    return [...this.#taken].some((each) => each === name || each.startsWith(`${name} `));
  }

  async take(name: string, act: () => Promise<void>): Promise<void> {
    if (this.#taken.has(name)) return;
    this.#taken.add(name);
    this.#host.requestUpdate();
    const done = this.#last.then(act).finally(() => {
      this.#taken.delete(name);
      this.#host.requestUpdate();
    });
    // What fails keeps nobody waiting who comes after it.
    this.#last = done.catch(() => {});
    await done;
  }
}
