import { isConnect } from '../../../src/shared/frame/connect.ts';
import type { FromFrame } from '../../../src/shared/frame/from-frame.ts';
import { isToFrame, type ToFrame } from '../../../src/shared/frame/to-frame.ts';

/** The members of `window` that the channel uses. */
export type FrameWindow = Pick<Window, 'addEventListener' | 'removeEventListener'> & { readonly parent: unknown };

/**
 * The frame's end of the channel to the element around it. It opens with the first handshake of the parent window
 * from an allowed origin. After that, only the port of that handshake is read.
 */
export class ParentChannel {
  /** Number of rejected messages: other senders or origins, second handshakes, unknown messages. */
  ignoredCount = 0;

  readonly #origins: readonly string[] | null;
  readonly #parent: unknown;
  #onMessage: ((message: ToFrame) => void) | null = null;
  #port: MessagePort | null = null;
  /** Messages sent before the channel opened. */
  #queue: FromFrame[] = [];

  /** Create it before the page has loaded: the element sends one handshake, on load. `origins` null allows any. */
  constructor(window: FrameWindow, origins: readonly string[] | null) {
    this.#origins = origins;
    this.#parent = window.parent;
    window.addEventListener('message', (event) => this.#acceptHandshake(event));
  }

  #acceptHandshake({ source, origin, data, ports: [port, ...others] }: MessageEvent<unknown>) {
    const isExpected = source === this.#parent && (this.#origins?.includes(origin) ?? true);
    if (this.#port || !isExpected || !port || others.length > 0 || !isConnect(data)) {
      this.ignoredCount++;
      return;
    }
    this.#port = port;
    port.addEventListener('message', ({ data: message }: MessageEvent<unknown>) => {
      if (isToFrame(message)) this.#onMessage?.(message);
      else this.ignoredCount++;
    });
    if (this.#onMessage) port.start();
    for (const message of this.#queue.splice(0)) port.postMessage(message);
  }

  /** Starts reading messages, including those that have already arrived. */
  listen(onMessage: (message: ToFrame) => void) {
    this.#onMessage = onMessage;
    this.#port?.start();
  }

  send(message: FromFrame) {
    if (this.#port) this.#port.postMessage(message);
    else this.#queue.push(message);
  }
}
