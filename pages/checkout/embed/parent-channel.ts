import { isConnect } from '../../../src/shared/frame/connect.ts';
import type { FromFrame } from '../../../src/shared/frame/from-frame.ts';
import { isToFrame, type ToFrame } from '../../../src/shared/frame/to-frame.ts';

/** The part of a window that the channel needs. */
export type FrameWindow = Pick<Window, 'addEventListener' | 'removeEventListener'> & { readonly parent: unknown };

/**
 * The frame's end of the conversation with the element around it. The first handshake of the parent
 * window, from an origin that may embed us, opens it; from then on nothing is heard but its own port.
 */
export class ParentChannel {
  /** What was refused: of strangers, of other origins, second handshakes, messages that the contract does not know. */
  ignored = 0;

  readonly #origins: readonly string[] | null;
  readonly #parent: unknown;
  #hear: ((message: ToFrame) => void) | null = null;
  #port: MessagePort | null = null;
  /** What was told before anybody listened. */
  #untold: FromFrame[] = [];

  /** Made before the page has loaded: the element shakes hands once, then. `origins` null means any. */
  constructor(window: FrameWindow, origins: readonly string[] | null) {
    this.#origins = origins;
    this.#parent = window.parent;
    window.addEventListener('message', (event) => this.#meet(event));
  }

  #meet({ source, origin, data, ports: [port, ...others] }: MessageEvent<unknown>) {
    const isExpected = source === this.#parent && (this.#origins?.includes(origin) ?? true);
    if (this.#port || !isExpected || !port || others.length > 0 || !isConnect(data)) {
      this.ignored++;
      return;
    }
    this.#port = port;
    port.addEventListener('message', ({ data: message }: MessageEvent<unknown>) => {
      if (isToFrame(message)) this.#hear?.(message);
      else this.ignored++;
    });
    if (this.#hear) port.start();
    for (const message of this.#untold.splice(0)) port.postMessage(message);
  }

  /** Begins to hear, with what has been said until now. */
  listen(hear: (message: ToFrame) => void) {
    this.#hear = hear;
    this.#port?.start();
  }

  tell(message: FromFrame) {
    if (this.#port) this.#port.postMessage(message);
    else this.#untold.push(message);
  }
}
