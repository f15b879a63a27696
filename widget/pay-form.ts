import { FRAME_PROTOCOL } from '../src/shared/frame/connect.ts';
import { isFromFrame } from '../src/shared/frame/from-frame.ts';
import type { BillingDetails, ToFrame } from '../src/shared/frame/to-frame.ts';
import type { PayErrorDetail, PayFormEnd, PayFormEventMap } from './events.ts';
import { style } from './style.ts';

export type { BillingDetails } from '../src/shared/frame/to-frame.ts';
export type * from './events.ts';

/** How long the frame may take to arrive, and then to answer. */
const ARRIVES_WITHIN_MS = 20_000;
const ANSWERS_WITHIN_MS = 4000;

const unreachable: PayErrorDetail = {
  code: 'frame_unreachable',
  message: 'Payment did not load.',
  retryable: true,
  reference: null,
};

const endings = /ss$|pend|decl|canc|err/;

/** Whether what is found invalid now has been pressed for, so that the buyer is told. */
let isAttempt = false;

function attempt() {
  isAttempt = true;
  setTimeout(() => (isAttempt = false));
}

function add<Tag extends keyof HTMLElementTagNameMap>(parent: Node, tag: Tag): HTMLElementTagNameMap[Tag] {
  return parent.appendChild(document.createElement(tag));
}

type Resolver = 'color' | 'columnGap' | 'fontFamily';

// On a server there is nothing to extend, and nothing to define; importing must not fail all the same.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * A card form, or a whole payment link, in one frame of the payment service. What is typed stays in
 * the frame; the page hears what happens, not what is written.
 *
 * @tag pay-form
 * @attr {'ltr' | 'rtl'} dir - Direction of the form; without it the language decides
 *
 * @fires {CustomEvent<PayReadyDetail>} pay-ready - The form can be used
 * @fires {CustomEvent<PayChangeDetail>} pay-change - What has been typed is complete, empty, wrong
 * @fires {CustomEvent<PaySubmitDetail>} pay-submit - The card is about to be sent; can be prevented
 * @fires {CustomEvent<PayChallengeDetail>} pay-challenge - The bank wants a confirmation (3-D Secure)
 * @fires {CustomEvent<PayReferenceDetail>} pay-success - Paid, as far as the page can know: the callback is the truth
 * @fires {CustomEvent<PayReferenceDetail>} pay-pending - The outcome is not known yet; nobody may pay again
 * @fires {CustomEvent<PayDeclineDetail>} pay-decline - The card was declined
 * @fires {CustomEvent<PayCancelDetail>} pay-cancel - Nothing was paid although nobody refused it
 * @fires {CustomEvent<PayErrorDetail>} pay-error - Something did not work; the codes stand in the documentation
 *
 * @slot error - What is shown when the form cannot be loaded, in place of the element's own words
 *
 * @cssprop [--pay-form-height=as high as the whole card form] - Room that is kept for the form before it has arrived
 * @cssprop [--pay-form-accent=light-dark(#1f5f4a, #8fd3b8)] - The button that pays
 * @cssprop [--pay-form-accent-text=light-dark(#fff, #08251b)] - Text on the button
 * @cssprop [--pay-form-text=light-dark(#1b1c1a, #f0efe9)] - Headings, labels and messages
 * @cssprop [--pay-form-text-muted=light-dark(#5d5f5a, #a9aba3)] - Hints and the words below the button
 * @cssprop [--pay-form-background=light-dark(#f4f3ef, #141513)] - What the page has behind the form, so that contrasts can be judged: the form paints no ground of its own
 * @cssprop [--pay-form-field-background=light-dark(#fff, #1d1f1c)] - Ground of fields and of the bank's dialog
 * @cssprop [--pay-form-field-text=var(--pay-form-text)] - What is typed
 * @cssprop [--pay-form-field-border=light-dark(#85877f, #767970)] - Border of fields
 * @cssprop [--pay-form-placeholder=var(--pay-form-text-muted)] - Examples in empty fields
 * @cssprop [--pay-form-error=light-dark(#b3261e, #ffb4ab)] - Mistakes and declines
 * @cssprop [--pay-form-focus=light-dark(#1f5f4a, #8fd3b8)] - Ring around what has the focus
 * @cssprop [--pay-form-radius=8px] - Corners of fields
 * @cssprop [--pay-form-button-radius=var(--pay-form-radius)] - Corners of the button that pays
 * @cssprop [--pay-form-border-width=1px] - Width of the fields' border
 * @cssprop [--pay-form-field-height=max(48px, 3rem)] - Height of a field
 * @cssprop [--pay-form-button-height=56px] - Least height of the button that pays
 * @cssprop [--pay-form-gap=16px] - Room between fields
 * @cssprop [--pay-form-font-size=1rem] - Size of what is typed; below 16px, phones zoom in on a field
 * @cssprop [--pay-form-label-size=0.875rem] - Size of labels
 * @cssprop [--pay-form-font-family=system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif] - Fonts that the buyer's device has: the form loads none
 */
export class PayForm extends Base {
  static readonly formAssociated = true;
  /** Without `theme`, which is seen as any other change of the looks is. */
  static readonly observedAttributes = ['src', 'locale', 'redirect', 'no-button', 'dir'];

  /**
   * The `embed_url` of a transaction, or a payment link.
   * @attr src
   * @reflect
   */
  declare src: string;
  /**
   * BCP 47 language of the form; the buyer's browser decides without it.
   * @attr locale
   * @reflect
   */
  declare locale: string;
  /**
   * Colour scheme; `auto`, the default, follows the page.
   * @attr theme
   * @reflect
   * @type {'light' | 'dark' | 'auto'}
   */
  declare theme: 'light' | 'dark' | 'auto' | '';
  /**
   * Name of the form's value, the transaction's reference.
   * @attr name
   * @reflect
   */
  declare name: string;
  /**
   * Where the bank's confirmation is shown: in the form, which is the default, or by leaving the page.
   * @attr redirect
   * @reflect
   * @type {'frame' | 'top'}
   */
  declare redirect: 'frame' | 'top' | '';
  /**
   * Takes no input.
   * @attr disabled
   * @reflect
   * @default false
   */
  declare disabled: boolean;
  /**
   * The page has its own button and calls `submit()`.
   * @attr no-button
   * @reflect
   * @default false
   */
  declare noButton: boolean;

  /** Messages of the frame that were refused because the contract does not know them. */
  ignored = 0;

  #billing: BillingDetails = {};
  #internals!: ElementInternals;
  #skeleton!: HTMLElement;
  #alert!: HTMLElement;
  #probes: [name: string, property: Resolver, probe: HTMLElement][] = [];

  #frame: HTMLIFrameElement | undefined;
  #port: MessagePort | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #form: HTMLFormElement | null = null;
  #told = '';
  /** What a form says that is not complete; the frame tells it in its own language. */
  #incomplete = 'Payment';
  #isPaid = false;
  /** Set while the page's own form waits for the payment: the button that was pressed. */
  #submitter: HTMLElement | null | undefined;
  #waiting: ((end: PayFormEnd) => void)[] = [];

  constructor() {
    super();
    this.#internals = this.attachInternals();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.#skeleton = add(root, 'div');
    this.#alert = add(root, 'section');
    this.#alert.role = 'alert';
    // The same for all elements, and added once.
    addEventListener('click', attempt, true);
    // Whatever changes a token, a class, a media query, another sheet, shows as a transition of its probe.
    root.addEventListener('transitionend', () => this.#configure());
    this.addEventListener('invalid', (event) => {
      // A page that only asks shows nothing by that, and a browser tells what it was asked to in its own words.
      if (!isAttempt) return;
      // The form says it in its own words, at the field.
      event.preventDefault();
      this.#post({ type: 'report' });
    });
  }

  connectedCallback() {
    const own = this as Record<string, unknown>;
    for (const [name, value] of Object.entries(own)) {
      // What was set before the element was defined hides the property.
      if (!(name in PayForm.prototype)) continue;
      delete own[name];
      own[name] = value;
    }
    // The attributes of an element that was there before its definition have been told already.
    if (!this.#frame && !this.#alert.textContent) this.#load();
  }

  disconnectedCallback() {
    this.#unload();
  }

  /** Moved without being taken out: the frame lives on. */
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

  /** First the money, then the page's own submit: nobody hears of it before. */
  readonly #payFirst = (event: SubmitEvent) => {
    const { submitter } = event;
    // Whoever takes the form elsewhere, a coupon, a step back, does not pay.
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

  /** What is known of the payer: these fields are filled in, and not asked for where they are right. */
  get billing(): BillingDetails {
    return this.#billing;
  }

  set billing(details: BillingDetails | null) {
    this.#billing = details ?? {};
    this.#configure();
  }

  /** Pays with what has been typed; resolves with the event that says what came of it, and never rejects. */
  submit(): Promise<PayFormEnd> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      // A frame that is on its way is asked as soon as it is there.
      if (this.#frame && !this.#alert.textContent) this.#post({ type: 'submit' });
      else this.#tell('pay-error', unreachable);
    });
  }

  /** Empties the form. */
  reset() {
    this.#post({ type: 'reset' });
  }

  override focus() {
    this.#frame?.focus();
    this.#post({ type: 'focus' });
  }

  /** Whether the form could be paid with. Shows nothing, and fires no `invalid` event. */
  checkValidity(): boolean {
    return this.#internals.validity.valid || !this.#internals.willValidate;
  }

  /** The same, and the form says at each field what is missing. */
  reportValidity(): boolean {
    attempt();
    return this.#internals.reportValidity();
  }

  get form(): HTMLFormElement | null {
    return this.#form;
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
    this.style.minHeight = '';
    this.#internals.setFormValue(null);
    this.#judge(false);
    this.#skeleton.hidden = false;
    const { src } = this;
    // A framework may set it later.
    if (!src) return;
    let address: URL;
    try {
      address = new URL(src, location.href);
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
    this.#expect(ARRIVES_WITHIN_MS);
    this.shadowRoot?.append(frame);
  };

  #unload() {
    clearTimeout(this.#timer);
    removeEventListener('online', this.#load);
    this.#port?.close();
    this.#frame?.remove();
    this.#port = this.#frame = this.#submitter = undefined;
    this.#alert.textContent = '';
    if (this.#waiting[0]) this.#tell('pay-error', unreachable);
  }

  /** Hands the frame its end of a channel; only a document of that origin gets it. */
  #connect(frame: HTMLIFrameElement, origin: string) {
    const { port1, port2 } = new MessageChannel();
    this.#port?.close();
    this.#port = port1;
    this.#told = '';
    port1.onmessage = ({ data }) => this.#hear(frame, data);
    frame.contentWindow?.postMessage({ connect: FRAME_PROTOCOL }, origin, [port2]);
    // Whoever waits for a document that is no more, or was not yet, is answered by this one.
    if (this.#waiting[0]) this.#post({ type: 'submit' });
    this.#expect(ANSWERS_WITHIN_MS);
  }

  #expect(withinMs: number) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(), withinMs);
  }

  /** An error of the element's own: the frame cannot show it. */
  #fail() {
    this.#skeleton.hidden = true;
    this.#alert.textContent = '';
    const words = add(this.#alert, 'slot');
    words.name = 'error';
    words.textContent = unreachable.message;
    const retry = add(this.#alert, 'button');
    retry.textContent = 'Try again';
    retry.onclick = this.#load;
    addEventListener('online', this.#load);
    this.#tell('pay-error', unreachable);
  }

  #post(message: ToFrame, port = this.#port) {
    port?.postMessage(message);
  }

  #hear(frame: HTMLIFrameElement, data: unknown) {
    if (!isFromFrame(data)) {
      this.ignored++;
      return;
    }
    const { type, ...detail } = data;
    switch (data.type) {
      case 'height':
        clearTimeout(this.#timer);
        removeEventListener('online', this.#load);
        this.#alert.textContent = '';
        this.#skeleton.hidden = true;
        // The room was kept for this.
        this.style.minHeight = '0';
        frame.style.height = `${data.height}px`;
        return;
      case 'theme':
        this.#probe(detail as Record<Resolver, string[]>);
        this.#configure();
        return;
      case 'words':
        clearTimeout(this.#timer);
        frame.title = data.label;
        this.#incomplete = data.incomplete;
        return;
      case 'reveal':
        this.scrollIntoView({ block: 'nearest' });
        return;
      case 'leave':
        if (data.address.startsWith('http')) location.assign(data.address);
        return;
      case 'pay-submit':
        this.#ask(data.trigger);
        return;
      case 'pay-ready':
        this.#internals.setFormValue(data.reference);
        break;
      case 'pay-change':
        this.#judge(data.complete);
        break;
      case 'pay-success':
        this.#isPaid = true;
        this.#judge(true);
        break;
      default:
    }
    this.#tell(type as keyof PayFormEventMap, detail);
  }

  /** One unseen element a token: its computed style is the token's value, whatever the page wrote. */
  #probe(tokens: Record<Resolver, string[]>) {
    for (const [, , probe] of this.#probes.splice(0)) probe.remove();
    for (const [property, names] of Object.entries(tokens) as [Resolver, string[]][]) {
      for (const name of names) {
        const probe = add(this.shadowRoot as ShadowRoot, 'i');
        // A default that a transition can start from.
        probe.style[property] = `var(--pay-form-${name},${property === 'color' ? '#0000' : '0px'})`;
        this.#probes.push([name, property, probe]);
      }
    }
  }

  /** The page may prevent the payment, or make it wait. */
  #ask(trigger: 'buyer' | 'page') {
    const port = this.#port;
    const waits: unknown[] = [];
    const go = this.#tell('pay-submit', { trigger, waitUntil: (work: unknown) => waits.push(work) });
    Promise.all(waits).then(
      () => this.#post({ type: 'verdict', go }, port),
      (error: unknown) => {
        this.#post({ type: 'verdict', go: false }, port);
        reportError(error);
      },
    );
  }

  #tell(type: keyof PayFormEventMap, detail: object): boolean {
    const event = new CustomEvent(type, {
      detail,
      bubbles: true,
      composed: true,
      cancelable: type === 'pay-submit',
    }) as PayFormEnd;
    const isAllowed = this.dispatchEvent(event);
    if (endings.test(type)) {
      for (const resolve of this.#waiting.splice(0)) resolve(event);
      const submitter = this.#submitter;
      if (type === 'pay-success' && submitter !== undefined)
        // A page may have drawn its button anew.
        this.form?.requestSubmit((submitter as HTMLButtonElement | null)?.form === this.form ? submitter : null);
      if (type !== 'pay-pending') this.#submitter = undefined;
    }
    return isAllowed;
  }

  #judge(isComplete: boolean) {
    const isValid = isComplete || this.#isPaid;
    this.#internals.setValidity({ valueMissing: !isValid }, this.#incomplete);
  }

  /** Tells the frame all that the page decides, when any of it has changed. */
  #configure() {
    if (!this.#frame || !this.#probes[0]) return;
    const own = getComputedStyle(this);
    const tokens: Record<string, string> = {};
    for (const [name, property, probe] of this.#probes) {
      if (own.getPropertyValue(`--pay-form-${name}`)) tokens[name] = getComputedStyle(probe)[property];
    }
    // The scheme that the page is drawn in, which is not always what the system asks for.
    const scheme = getComputedStyle(this.#skeleton).color.startsWith('rgb(0') ? 'light' : 'dark';
    const configuration: ToFrame = {
      type: 'configure',
      locale: this.locale,
      direction: this.dir,
      scheme,
      tokens,
      disabled: this.matches(':disabled'),
      redirect: this.redirect,
      button: !this.noButton,
      billing: this.#billing,
    };
    const told = JSON.stringify(configuration);
    if (told === this.#told) return;
    this.#told = told;
    // A copy: what frameworks wrap cannot be sent, and what is not known is left out.
    this.#post(JSON.parse(told) as ToFrame);
  }
}

const reflected = { src: '', locale: '', theme: '', name: '', redirect: '', disabled: false, noButton: false };

for (const [property, initial] of Object.entries(reflected)) {
  const attribute = property === 'noButton' ? 'no-button' : property;
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

/** The listeners' types, which a class alone cannot say. */
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
