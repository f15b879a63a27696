/** Where in a page: the frames on the way, each found in the document of the one before. */
export type FramePath = readonly string[];

export type Key = 'Tab' | 'Enter' | 'Space' | 'Backspace' | 'ArrowDown';

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
  /** What the browser itself said of the page: errors, refusals by its policy. Empty where the driver does not tell. */
  faults: string[];
  close(): Promise<void>;
}

/** A running browser. Each tab is a visitor of its own: no cookie, no storage is shared. */
export interface Browser {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  launch(): Promise<Browser>;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The script that calls a function in the page. The function may use nothing but its arguments and the page. */
export function call<Args extends Json[]>(action: (...args: Args) => unknown, ...args: Args): string {
  // The name helper stands in what the TypeScript loader makes of functions within functions.
  return `((__name) => (${action.toString()})(...${JSON.stringify(args)}))((it) => it)`;
}

/** How long a driver may take over one command. */
export const COMMAND_TIMEOUT_MS = 20_000;
