import type { ReactiveControllerHost } from 'lit';

/** What is done one after the other: nothing that somebody has confirmed is lost, and the same is not done twice at a time. */
export class SerialQueue {
  readonly #host: ReactiveControllerHost;
  readonly #pending = new Set<string>();
  #lastTask = Promise.resolve();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Whether it is being done or will be; `save` stands for `save https://shop.example` as well. */
  has(name: string): boolean {
    return [...this.#pending].some((pending) => pending === name || pending.startsWith(`${name} `));
  }

  async run(name: string, task: () => Promise<void>): Promise<void> {
    if (this.#pending.has(name)) return;
    this.#pending.add(name);
    this.#host.requestUpdate();
    const done = this.#lastTask.then(task).finally(() => {
      this.#pending.delete(name);
      this.#host.requestUpdate();
    });
    // What fails keeps nobody waiting who comes after it.
    this.#lastTask = done.catch(() => {});
    await done;
  }
}
