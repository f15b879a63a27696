/** Where in a page: the frames on the way, each found in the document of the one before ({@link elementAt}). */
export type FramePath = readonly string[];

export type Key = 'Tab' | 'Enter';

/**
 * What the tests need of a browser, and no more, so that any driver can give it. Scripts are
 * expressions as text, which every driver takes alike; {@link call} makes them.
 */
export interface Tab {
  open(address: string): Promise<void>;
  address(): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  evaluate(frames: FramePath, script: string): Promise<unknown>;
  /** Clicks with a pointer on the element that the script finds. */
  click(frames: FramePath, script: string): Promise<void>;
  /** Types with keys into whatever has the focus. */
  type(text: string): Promise<void>;
  press(key: Key, modifier?: 'Shift'): Promise<void>;
  /** Errors and refusals that the browser itself told of since the last call; none where the driver does not hear them. */
  takeFaults(): string[];
  close(): Promise<void>;
}

/** A running browser. Each tab is a visitor of its own: no cookie and no storage is shared. */
export interface Browser {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  launch(): Promise<Browser>;
}

/** How long a driver may take over one command. */
export const COMMAND_TIMEOUT_MS = 30_000;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * The script that calls a function in the page, with values and other functions as its arguments.
 * Functions may use nothing but what they are given and what the page has.
 */
export function call<Args extends (Json | ((...args: never[]) => unknown))[]>(
  action: (...args: Args) => unknown,
  ...args: Args
): string {
  const written = args.map((arg) => (typeof arg === 'function' ? `(${arg.toString()})` : JSON.stringify(arg)));
  // The loader of TypeScript names functions within functions through a helper of its own.
  return `((__name) => (${action.toString()})(${written.join(',')}))((named) => named)`;
}

/** The first element of a selector; `>>>` goes on in the open shadow root of what stands before it. */
export function elementAt(selector: string): Element | null {
  let scope: ParentNode | null = document;
  let found: Element | null = null;
  for (const step of selector.split('>>>')) {
    found = scope?.querySelector(step.trim()) ?? null;
    scope = found?.shadowRoot ?? null;
  }
  return found;
}
