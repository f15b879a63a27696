/**
 * Simulates a merchant's page that tries to read the input. It replaces all browser APIs that the element could use,
 * listens to all events, and inspects all objects. `captured()` then returns everything it has recorded, as one string.
 * The function is sent to the page as source text, so it must not reference anything outside.
 */
export function captureEverything() {
  const seen: unknown[] = [];
  const record = (where: string, ...what: unknown[]) => void seen.push([where, ...what]);

  /** Wraps a function and records its arguments and result. */
  const spyOn = (target: object, name: string) => {
    const own = Reflect.get(target, name) as (...args: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]) {
        const result = Reflect.apply(own, this, args);
        record(name, args, result);
        return result;
      },
    });
  };
  for (const [target, ...names] of [
    [MessagePort.prototype, 'postMessage', 'start', 'close'],
    [window, 'postMessage', 'fetch', 'structuredClone', 'reportError'],
    [EventTarget.prototype, 'dispatchEvent'],
    [Element.prototype, 'setAttribute', 'append', 'attachShadow'],
    [HTMLElement.prototype, 'attachInternals', 'focus'],
    [ElementInternals.prototype, 'setFormValue', 'setValidity'],
    [CSSStyleDeclaration.prototype, 'setProperty', 'getPropertyValue'],
    [URLSearchParams.prototype, 'set'],
    [Storage.prototype, 'setItem'],
    [Navigator.prototype, 'sendBeacon'],
    [XMLHttpRequest.prototype, 'send', 'open'],
    [JSON, 'stringify', 'parse'],
    [Object, 'entries', 'keys', 'fromEntries'],
    [Array.prototype, 'every', 'includes'],
  ] as [object, ...string[]][]) {
    for (const name of names) spyOn(target, name);
  }
  const { CustomEvent: OwnEvent, MessageChannel: OwnChannel } = window;
  window.CustomEvent = class<T> extends OwnEvent<T> {
    constructor(type: string, init?: CustomEventInit<T>) {
      super(type, init);
      record('CustomEvent', type, init);
    }
  };
  window.MessageChannel = class extends OwnChannel {
    constructor() {
      super();
      for (const port of [this.port1, this.port2])
        port.addEventListener('message', ({ data }: MessageEvent<unknown>) => record('port', data));
    }
  };
  // A setter on Object.prototype runs for every assignment to a missing property.
  for (const name of ['data', 'card_number', 'number', 'digits', 'cvv']) {
    Reflect.defineProperty(Object.prototype, name, {
      configurable: true,
      set(this: object, value: unknown) {
        Reflect.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
        record(`set ${name}`, value);
      },
    });
  }

  const eventTypes = [
    ...['keydown', 'keypress', 'keyup', 'beforeinput', 'input', 'change', 'compositionend', 'textInput'],
    ...['copy', 'cut', 'paste', 'drop', 'dragstart', 'select', 'selectionchange', 'pointerdown', 'click'],
    ...['focusin', 'focusout', 'submit', 'formdata', 'invalid', 'message', 'messageerror', 'storage', 'hashchange'],
    ...['pay-ready', 'pay-change', 'pay-submit', 'pay-challenge', 'pay-success', 'pay-pending', 'pay-error'],
  ];
  for (const target of [window, document]) {
    for (const type of eventTypes) {
      target.addEventListener(
        type,
        (event) => {
          record(type, inspect(event, 2), event.composedPath().map(String));
        },
        true,
      );
    }
  }

  /** Reads all properties of an object, including inherited ones and getters. */
  function inspect(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return String(value);
    if (depth === 0) return Object.prototype.toString.call(value);
    const found: Record<string, unknown> = {};
    for (let owner: object | null = value; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
      for (const key of Reflect.ownKeys(owner)) {
        try {
          found[String(key)] ??= inspect(Reflect.get(value, key), depth - 1);
        } catch (error) {
          found[String(key)] = String(error);
        }
      }
    }
    return found;
  }

  /** Visits every element, through open shadow roots and all accessible frames. */
  function walk(root: Document | ShadowRoot | DocumentFragment): void {
    for (const element of root.querySelectorAll('*')) {
      record('element', element.outerHTML, (element as HTMLInputElement).value);
      if (element.shadowRoot) walk(element.shadowRoot);
      if (!(element instanceof HTMLIFrameElement)) continue;
      for (const readFrame of [
        () => element.contentDocument?.documentElement.outerHTML,
        () => element.contentWindow?.document.documentElement.outerHTML,
        () => element.contentWindow?.location.href,
        () => element.contentWindow?.getSelection()?.toString(),
        () => element.contentWindow?.[0]?.document,
        () => inspect(element.contentWindow, 1),
      ]) {
        try {
          record('frame', readFrame());
        } catch (error) {
          record('frame', String(error));
        }
      }
    }
  }

  Object.assign(globalThis, {
    async captured() {
      walk(document);
      for (const element of document.querySelectorAll('pay-form')) record('properties', inspect(element, 3));
      for (const form of document.forms) record('form', [...new FormData(form)]);
      record('storage', { ...localStorage }, { ...sessionStorage }, document.cookie);
      record('databases', await indexedDB.databases());
      record(
        'performance',
        performance.getEntries().map((entry) => inspect(entry, 1)),
      );
      record('place', location.href, history.state, document.title, window.name, String(getSelection()));
      const parents = new WeakSet<object>();
      return seen
        .map((each) => {
          try {
            return text(each, parents);
          } catch (error) {
            return String(error);
          }
        })
        .join('\n');
    },
  });

  function text(value: unknown, parents: WeakSet<object>): string {
    if (typeof value !== 'object' || value === null) return String(value);
    if (value instanceof Node || value instanceof Window) return Object.prototype.toString.call(value);
    if (parents.has(value)) return '';
    parents.add(value);
    const inner = Object.getOwnPropertyNames(value).map((key) => `${key}: ${text(Reflect.get(value, key), parents)}`);
    return `{ ${inner.join(', ')} }`;
  }
}
