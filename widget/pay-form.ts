/*
 * Map of `widget/`: `pay-form.ts` is the element on a merchant's page, `events.ts` and `attributes.ts` are its public
 * types, and `react.ts` and `vue.ts` are typed wrappers. The frame inside it is `pages/checkout/frame/`. Reasons:
 * docs/decisions/embedding.md.
 */

import { FRAME_PROTOCOL } from '../src/shared/frame/connect.ts';
import { isFromFrame } from '../src/shared/frame/from-frame.ts';
import type { BillingDetails, ToFrame } from '../src/shared/frame/to-frame.ts';
import type { PayErrorDetail, PayFormEnd, PayFormEventMap } from './events.ts';
import { style } from './style.ts';

export type { BillingDetails } from '../src/shared/frame/to-frame.ts';
export type * from './events.ts';

/** Timeouts for the frame to load, and then to respond. */
const LOAD_TIMEOUT_MS = 20_000;
const RESPONSE_TIMEOUT_MS = 4000;

const unreachable: PayErrorDetail = {
  code: 'frame_unreachable',
  message: "We couldn't load the payment form.",
  retryable: true,
  reference: null,
};

const endEventTypes = /ss$|pend|decl|canc|err/;

/** True during a validation that the user or the page requested, so that errors are shown. */
let isReporting = false;

function startReporting() {
  isReporting = true;
  setTimeout(() => (isReporting = false));
}

function appendElement<Tag extends keyof HTMLElementTagNameMap>(parent: Node, tag: Tag): HTMLElementTagNameMap[Tag] {
  return parent.appendChild(document.createElement(tag));
}

interface FramePort extends MessagePort {
  postMessage(message: ToFrame): void;
}

type Resolver = 'color' | 'columnGap' | 'fontFamily';

// During server rendering there is no HTMLElement; the import must still work.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A card form or a complete payment link in a frame of the payment service. The page receives events, never the data
 * that the buyer types.
 *
 * @tag pay-form
 * @attr {'ltr' | 'rtl'} dir - Direction of the form; default: the direction of the language
 *
 * @fires {CustomEvent<PayReadyDetail>} pay-ready - The form is ready for input
 * @fires {CustomEvent<PayChangeDetail>} pay-change - The form became complete, empty or invalid
 * @fires {CustomEvent<PaySubmitDetail>} pay-submit - The card is about to be sent; can be prevented
 * @fires {CustomEvent<PayChallengeDetail>} pay-challenge - The issuer requires a 3-D Secure challenge
 * @fires {CustomEvent<PayReferenceDetail>} pay-success - The payment succeeded; rely on the webhook, not on this event
 * @fires {CustomEvent<PayReferenceDetail>} pay-pending - The outcome is not known yet; don't let the buyer pay again
 * @fires {CustomEvent<PayDeclineDetail>} pay-decline - The card was declined
 * @fires {CustomEvent<PayCancelDetail>} pay-cancel - The payment was canceled, and nothing was paid
 * @fires {CustomEvent<PayErrorDetail>} pay-error - An error occurred; see the documentation for codes
 *
 * @slot error - Shown if the form cannot be loaded; replaces the default text
 *
 * @cssprop [--pay-form-height=height of the card form] - Height that is reserved while the form loads
 * @cssprop [--pay-form-accent=light-dark(#1f5f4a, #8fd3b8)] - Pay button
 * @cssprop [--pay-form-accent-text=light-dark(#fff, #08251b)] - Text on the pay button
 * @cssprop [--pay-form-text=light-dark(#1b1c1a, #f0efe9)] - Headings, labels and messages
 * @cssprop [--pay-form-text-muted=light-dark(#5d5f5a, #a9aba3)] - Hints, and text below the button
 * @cssprop [--pay-form-background=light-dark(#f4f3ef, #141513)] - The page's background behind the form, used to check contrast; the form itself is transparent
 * @cssprop [--pay-form-field-background=light-dark(#fff, #1d1f1c)] - Background of fields and of the 3-D Secure dialog
 * @cssprop [--pay-form-field-text=var(--pay-form-text)] - Text in fields
 * @cssprop [--pay-form-field-border=light-dark(#85877f, #767970)] - Border of fields
 * @cssprop [--pay-form-placeholder=var(--pay-form-text-muted)] - Placeholders
 * @cssprop [--pay-form-error=light-dark(#b3261e, #ffb4ab)] - Error messages and declines
 * @cssprop [--pay-form-focus=light-dark(#1f5f4a, #8fd3b8)] - Focus ring
 * @cssprop [--pay-form-radius=8px] - Corner radius of fields
 * @cssprop [--pay-form-button-radius=var(--pay-form-radius)] - Corner radius of the pay button
 * @cssprop [--pay-form-border-width=1px] - Border width of fields
 * @cssprop [--pay-form-field-height=max(48px, 3rem)] - Height of fields
 * @cssprop [--pay-form-button-height=56px] - Minimum height of the pay button
 * @cssprop [--pay-form-gap=16px] - Space between fields
 * @cssprop [--pay-form-font-size=1rem] - Font size of fields; below 16px, phones zoom in on a focused field
 * @cssprop [--pay-form-label-size=0.875rem] - Font size of labels
 * @cssprop [--pay-form-font-family=system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif] - Fonts installed on the buyer's device; the form loads no fonts
 */
export class PayForm extends Base {
  static readonly formAssociated = true;
  /** Without `theme`: the probes detect its effect. */
  static readonly observedAttributes = ['src', 'locale', 'redirect', 'no-button', 'dir'];

  /**
   * The `embed_url` of a transaction, or a payment link.
   * @attr src
   * @reflect
   */
  declare src: string;
  /**
   * BCP 47 language of the form. Default: the browser's language.
   * @attr locale
   * @reflect
   */
  declare locale: string;
  /**
   * Color scheme. `auto`, the default, follows the page.
   * @attr theme
   * @reflect
   * @type {'light' | 'dark' | 'auto'}
   */
  declare theme: 'light' | 'dark' | 'auto' | '';
  /**
   * Name of the form value, which is the transaction's reference.
   * @attr name
   * @reflect
   */
  declare name: string;
  /**
   * Location of the 3-D Secure challenge: in the form, the default, or by leaving the page.
   * @attr redirect
   * @reflect
   * @type {'frame' | 'top'}
   */
  declare redirect: 'frame' | 'top' | '';
  /**
   * Disables input.
   * @attr disabled
   * @reflect
   * @default false
   */
  declare disabled: boolean;
  /**
   * Hides the form's button, for pages with their own button that calls `submit()`.
   * @attr no-button
   * @reflect
   * @default false
   */
  declare noButton: boolean;

  /** Number of rejected messages from the frame: those that the contract does not define. */
  ignoredCount = 0;

  #billing: BillingDetails = {};
  #internals!: ElementInternals;
  /** Covers the frame: a skeleton while empty, or the element's own error. */
  #alert!: HTMLElement;
  #probes: [name: string, property: Resolver, probe: HTMLElement][] = [];

  #frame: HTMLIFrameElement | undefined;
  #port: FramePort | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #form: HTMLFormElement | null | undefined;
  #sentConfiguration = '';
  /** Validation message for an incomplete form, in the frame's language. */
  #incompleteMessage = 'Payment';
  #isPaid = false;
  /** The pressed button, while the page's own form waits for the payment. */
  #submitter: HTMLElement | null | undefined;
  #pendingSubmits: ((end: PayFormEnd) => void)[] = [];

  constructor() {
    super();
    this.#internals = this.attachInternals();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.#alert = appendElement(root, 'section');
    this.#alert.role = 'alert';
    // The same listener for all elements is added once.
    addEventListener('click', startReporting, true);
    // Any change to a token, through a class, media query or style sheet, fires a transition of its probe.
    root.addEventListener('transitionend', this.#configure);
    this.addEventListener('invalid', (event) => {
      // Called by script: `form.checkValidity()` shows nothing, and `form.reportValidity()` shows the browser's own
      // message.
      if (!isReporting) return;
      // The form shows its own message at the field.
      event.preventDefault();
      this.#port?.postMessage({ type: 'report' });
    });
  }

  connectedCallback() {
    const own = this as Record<string, unknown>;
    for (const [name, value] of Object.entries(own)) {
      // A property that was set before the definition shadows the accessor.
      delete own[name];
      own[name] = value;
    }
    // For an upgraded element, attributes have already been reported.
    if (!this.#frame && !this.#alert.textContent) this.#load();
  }

  disconnectedCallback() {
    this.#unload();
  }

  /** Moved without being removed: the frame stays alive. */
  connectedMoveCallback() {}

  attributeChangedCallback(name: string, before: string | null, after: string | null) {
    if (before === after || !this.isConnected) return;
    if (name === 'src') this.#load();
    else this.#configure();
  }

  formAssociatedCallback(form: HTMLFormElement | null) {
    this.#form?.removeEventListener('submit', this.#payFirst, true);
    this.#form = form;
    form?.addEventListener('submit', this.#payFirst, true);
  }

  /** Pays before the page's own submit handlers run, so that none of them runs before the payment. */
  readonly #payFirst = (event: SubmitEvent) => {
    const submitter = event.submitter;
    // Buttons with `formnovalidate`, such as a coupon or a back button, do not pay.
    if ((submitter as HTMLButtonElement | null)?.formNoValidate) return;
    if (this.#isPaid) this.#submitter = undefined;
    else if (this.#submitter !== undefined || !this.matches(':disabled')) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.#submitter = submitter;
      void this.submit();
    }
  };

  formDisabledCallback() {
    this.#configure();
  }

  formResetCallback() {
    this.reset();
  }

  /** Known details of the payer. Their fields are filled in, and hidden unless invalid. */
  get billing(): BillingDetails {
    return this.#billing;
  }

  set billing(details: BillingDetails | null) {
    this.#billing = details ?? {};
    this.#configure();
  }

  /** Pays with the form's content. Resolves with the event that ends the attempt; never rejects. */
  submit(): Promise<PayFormEnd> {
    return new Promise((resolve) => {
      this.#pendingSubmits.push(resolve);
      // A frame that is still loading receives the request once it is connected.
      if (this.#frame && !this.#alert.textContent) this.#port?.postMessage({ type: 'submit' });
      else this.#fire('pay-error', unreachable);
    });
  }

  /** Clears the form. */
  reset() {
    this.#port?.postMessage({ type: 'reset' });
  }

  override focus() {
    this.#frame?.focus();
    this.#port?.postMessage({ type: 'focus' });
  }

  /** Returns true if the form can be submitted. Shows nothing and fires no `invalid` event. */
  checkValidity(): boolean {
    return this.#internals.validity.valid || !this.#internals.willValidate;
  }

  /** Like `checkValidity()`, and shows the errors in the form. */
  reportValidity(): boolean {
    startReporting();
    return this.#internals.reportValidity();
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  get validity(): ValidityState {
    return this.#internals.validity;
  }

  get validationMessage(): string {
    return this.#internals.validationMessage;
  }

  readonly #load = () => {
    this.#unload();
    this.#isPaid = false;
    this.#internals.setFormValue(null);
    this.#updateValidity();
    this.#alert.hidden = false;
    // A framework may set `src` later.
    if (!this.src) return;
    let address: URL;
    try {
      address = new URL(this.src, location.href);
      if (!address.protocol.startsWith('http')) throw address;
    } catch {
      this.#fail();
      return;
    }
    address.searchParams.set('origin', location.origin);
    address.searchParams.set('locale', this.locale);
    const frame = document.createElement('iframe');
    this.#frame = frame;
    frame.onload = () => this.#connect(frame, address.origin);
    frame.sandbox = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
    frame.src = address.href;
    frame.title = 'Payment';
    this.#startTimeout(LOAD_TIMEOUT_MS);
    this.shadowRoot?.append(frame);
  };

  #unload() {
    clearTimeout(this.#timer);
    removeEventListener('online', this.#load);
    this.#port?.close();
    this.#frame?.remove();
    this.#port = this.#frame = this.#submitter = undefined;
    this.#alert.textContent = '';
    if (this.#pendingSubmits[0]) this.#fire('pay-error', unreachable);
  }

  /** Sends the frame its end of a channel. Only a document of that origin receives it. */
  #connect(frame: HTMLIFrameElement, origin: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    this.#sentConfiguration = '';
    port1.onmessage = ({ data }) => this.#onMessage(frame, data);
    frame.contentWindow?.postMessage({ connect: FRAME_PROTOCOL }, origin, [port2]);
    // A pending `submit()` of an earlier document, or from before the load, is sent to this document.
    if (this.#pendingSubmits[0]) this.#port?.postMessage({ type: 'submit' });
    this.#startTimeout(RESPONSE_TIMEOUT_MS);
  }

  #startTimeout(timeoutMs: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(), timeoutMs);
  }

  /** Shows the element's own error, because the frame cannot. */
  #fail() {
    this.#alert.textContent = '';
    this.#alert.hidden = false;
    const message = appendElement(this.#alert, 'slot');
    message.name = 'error';
    message.textContent = unreachable.message;
    const retry = appendElement(this.#alert, 'button');
    retry.textContent = 'Try again';
    retry.onclick = this.#load;
    addEventListener('online', this.#load);
    this.#fire('pay-error', unreachable);
  }

  #onMessage(frame: HTMLIFrameElement, data: unknown) {
    if (!isFromFrame(data)) {
      this.ignoredCount++;
      return;
    }
    const { type, ...detail } = data;
    switch (type) {
      case 'height':
        clearTimeout(this.#timer);
        removeEventListener('online', this.#load);
        this.#alert.hidden = true;
        this.#alert.textContent = '';
        frame.style.height = data.height + 'px';
        return;
      case 'theme':
        this.#createProbes(detail as Record<Resolver, string[]>);
        this.#configure();
        // Before the page's first frame, changes fire no transitions.
        requestAnimationFrame(this.#configure);
        return;
      case 'labels':
        clearTimeout(this.#timer);
        frame.title = data.title;
        this.#incompleteMessage = data.incomplete;
        return;
      case 'reveal':
        this.scrollIntoView({ block: 'nearest' });
        return;
      case 'leave':
        if (data.address.startsWith('http')) location.assign(data.address);
        return;
      case 'pay-submit':
        this.#requestPermission(data.trigger);
        return;
      case 'pay-ready':
        this.#internals.setFormValue(data.reference);
        break;
      case 'pay-change':
        this.#updateValidity(data.complete);
        break;
      case 'pay-success':
        this.#isPaid = true;
        this.#updateValidity();
        break;
      default:
    }
    this.#fire(type, detail);
  }

  /** Creates one invisible element per token. Its computed style is the token's value in any notation. */
  #createProbes(tokens: Record<Resolver, string[]>) {
    for (const [, , probe] of this.#probes.splice(0)) probe.remove();
    for (const [property, names] of Object.entries(tokens) as [Resolver, string[]][]) {
      for (const name of names) {
        const probe = appendElement(this.shadowRoot as ShadowRoot, 'i');
        // A default value that a transition can start from.
        probe.style[property] = `var(--pay-form-${name},${property === 'color' ? '#0000' : '0px'})`;
        this.#probes.push([name, property, probe]);
      }
    }
  }

  /** Fires `pay-submit`. The page can prevent the payment or delay it. */
  #requestPermission(trigger: 'buyer' | 'page') {
    const port = this.#port;
    const promises: unknown[] = [];
    const isAllowed = this.#fire('pay-submit', { trigger, waitUntil: (work: unknown) => promises.push(work) });
    void Promise.all(promises)
      .then(() => isAllowed, reportError)
      .then((granted) => port?.postMessage({ type: 'permission', granted: !!granted }));
  }

  #fire(type: keyof PayFormEventMap, detail: object): boolean {
    const event = new CustomEvent(type, {
      detail,
      bubbles: true,
      composed: true,
      cancelable: type === 'pay-submit',
    }) as PayFormEnd;
    const isAllowed = this.dispatchEvent(event);
    if (endEventTypes.test(type)) {
      for (const resolve of this.#pendingSubmits.splice(0)) resolve(event);
      const submitter = this.#submitter;
      if (type === 'pay-success' && submitter !== undefined)
        // The page may have replaced its button.
        this.form?.requestSubmit((submitter as HTMLButtonElement | null)?.form === this.form ? submitter : null);
      if (type !== 'pay-pending') this.#submitter = undefined;
    }
    return isAllowed;
  }

  #updateValidity(isComplete?: boolean) {
    this.#internals.setValidity({ valueMissing: !isComplete && !this.#isPaid }, this.#incompleteMessage);
  }

  /** Sends the configuration to the frame if it has changed. */
  readonly #configure = () => {
    if (!this.#frame || !this.#probes[0]) return;
    const tokens: Record<string, string> = {};
    for (const [name, property, probe] of this.#probes) {
      const style = getComputedStyle(probe);
      if (style.getPropertyValue(`--pay-form-${name}`)) tokens[name] = style[property];
    }
    const configuration: ToFrame = {
      type: 'configure',
      locale: this.locale,
      direction: this.dir,
      // The scheme that the page uses, which may differ from the system's.
      scheme: getComputedStyle(this.#frame).color.startsWith('rgb(0') ? 'light' : 'dark',
      tokens,
      disabled: this.matches(':disabled'),
      redirect: this.redirect,
      button: !this.noButton,
      billing: this.#billing,
    };
    const serialized = JSON.stringify(configuration);
    // A copy: proxies of frameworks cannot be cloned, and undefined values are removed.
    if (serialized !== this.#sentConfiguration)
      this.#port?.postMessage(JSON.parse((this.#sentConfiguration = serialized)) as ToFrame);
  };
}

const reflected = { src: '', locale: '', theme: '', name: '', redirect: '', disabled: false, noButton: false };

for (const [property, initial] of Object.entries(reflected)) {
  const attribute = property.replace('B', '-b');
  Object.defineProperty(PayForm.prototype, property, {
    get(this: PayForm) {
      return initial === '' ? (this.getAttribute(attribute) ?? '') : this.hasAttribute(attribute);
    },
    set(this: PayForm, value: string | boolean | null | undefined) {
      if (typeof value === 'string') this.setAttribute(attribute, value);
      else this.toggleAttribute(attribute, !!value);
    },
  });
}

if (globalThis.customElements && !customElements.get('pay-form')) customElements.define('pay-form', PayForm);

/** Types of the event listeners, which a class cannot express. */
export interface PayForm {
  addEventListener<Type extends keyof PayFormEventMap>(
    type: Type,
    listener: (this: PayForm, event: PayFormEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Type extends keyof PayFormEventMap>(
    type: Type,
    listener: (this: PayForm, event: PayFormEventMap[Type]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-form': PayForm;
  }
}
