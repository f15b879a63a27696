import type { ReactiveControllerHost } from 'lit';

/** Runs tasks one after another. A task whose name is already queued is skipped. */
export class SerialQueue {
  readonly #host: ReactiveControllerHost;
  readonly #pending = new Set<string>();
  #lastTask = Promise.resolve();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** True while the task is queued or running; `save` also matches `save https://shop.example`. */
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
    // A failed task does not block the next one.
    this.#lastTask = done.catch(() => {});
    await done;
  }
}
