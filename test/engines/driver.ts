/** Selectors of nested frames, each found in the document of the previous one ({@link elementAt}). */
export type FramePath = readonly string[];

export type Key = 'Tab' | 'Enter';

/**
 * The browser features that the tests need, supported by any driver. Scripts are expressions as text; {@link call}
 * creates them.
 */
export interface Tab {
  open(address: string): Promise<void>;
  address(): Promise<string>;
  resize(width: number, height: number): Promise<void>;
  evaluate(frames: FramePath, script: string): Promise<unknown>;
  /** Clicks the element that the script returns. */
  click(frames: FramePath, script: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  press(key: Key, modifier?: 'Shift'): Promise<void>;
  /** Errors and policy violations since the last call. Empty if the driver does not report them. */
  takeFaults(): string[];
  close(): Promise<void>;
}

/** A running browser. Each tab is a separate visitor without shared cookies or storage. */
export interface Browser {
  newTab(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  launch(): Promise<Browser>;
}

/** Timeout of one driver command. */
export const COMMAND_TIMEOUT_MS = 60_000;

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/**
 * Creates a script that calls a function in the page, with values and other functions as arguments. Functions may
 * use only their arguments and the page's globals.
 */
export function call<Args extends (Json | ((...args: never[]) => unknown))[]>(
  action: (...args: Args) => unknown,
  ...args: Args
): string {
  const written = args.map((arg) => (typeof arg === 'function' ? `(${arg.toString()})` : JSON.stringify(arg)));
  // The TypeScript loader wraps nested functions in a helper, `__name`.
  return `((__name) => (${action.toString()})(${written.join(',')}))((named) => named)`;
}

/** The first element of a selector. `>>>` continues in the open shadow root of the element before it. */
export function elementAt(selector: string): Element | null {
  let scope: ParentNode | null = document;
  let found: Element | null = null;
  for (const step of selector.split('>>>')) {
    found = scope?.querySelector(step.trim()) ?? null;
    scope = found?.shadowRoot ?? null;
  }
  return found;
}
