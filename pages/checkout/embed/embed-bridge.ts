import type { PageDocument, PageTexts, ScriptedPage } from '../../../src/api/page-state.ts';
import {
  type BillingDetails,
  type FrameConfiguration,
  readBilling,
  type ToFrame,
} from '../../../src/shared/frame/to-frame.ts';
import type { CardFormState } from '../elements/card-form.ts';
import { I18n } from '../elements/i18n.ts';
import type { PageView } from '../store/page-view.ts';
import type { PaymentPage } from '../store/payment-page.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import type { PageRequest } from '../store/requests.ts';
import type { ChallengeDialog } from './challenge-dialog.ts';
import type { ParentChannel } from './parent-channel.ts';
import { payEvents } from './pay-events.ts';
import { applyTheme, tokensByProperty, FORCED_COLORS } from './theme.ts';

/** Poll interval for the visibility of a hidden form. */
const VISIBILITY_POLL_MS = 200;

/** Delay before theme warnings are logged: a transition passes through values that the merchant never set. */
const WARNING_DELAY_MS = 100;

/** Requests that start a payment. The merchant's page must allow them. */
type StartRequest = Extract<PageRequest, { type: 'submit' | 'start_method' }>;

/**
 * Connects a payment page in a frame to the element that embeds it. It reports events, applies the element's
 * configuration, asks for permission before a payment, and shows the 3-D Secure challenge in the frame.
 */
export class EmbedBridge {
  readonly #page: PaymentPage;
  readonly #store: PaymentStore;
  /** Page whose text is loaded for another language. */
  readonly #textsName: ScriptedPage;
  readonly #channel: ParentChannel;
  readonly #challenge: ChallengeDialog;
  #configuration: FrameConfiguration | null = null;
  #shownView: PageView | null = null;
  #formState: CardFormState | null = null;
  /** Last requested locale. The page may show a related one. */
  #locale: string;
  #isRightToLeft: boolean;
  #pendingRequest: StartRequest | null = null;
  #isPageSubmitting = false;
  #height: number | null = null;
  /** Theme warnings that have been logged. */
  #loggedWarnings: string[] = [];
  #warningTimer: ReturnType<typeof setTimeout> | undefined;
  /** `submit()` was called before the form was visible. */
  #isSubmitPending = false;

  constructor(
    channel: ParentChannel,
    page: PaymentPage,
    store: PaymentStore,
    pageDocument: PageDocument,
    textsName: ScriptedPage,
  ) {
    this.#channel = channel;
    this.#page = page;
    this.#store = store;
    this.#textsName = textsName;
    this.#locale = new URLSearchParams(location.search).get('locale') ?? '';
    this.#isRightToLeft = pageDocument.direction === 'rtl';
    this.#challenge = document.createElement('challenge-dialog');
    this.#challenge.i18n = page.i18n;
    page.frame = { disabled: false, button: true, billing: {} };
    page.addEventListener('card-change', (event) => {
      this.#formState = (event as CustomEvent<CardFormState>).detail;
      this.#sendFormState();
    });
    this.#challenge.addEventListener('challenge-load', () => void store.dispatch({ type: 'refresh' }));
    this.#challenge.addEventListener('challenge-close', () => void store.dispatch({ type: 'abandon' }));
    store.subscribe((view) => {
      if (this.#shownView) this.#onView(view);
    });
  }

  /** Opens the channel. The element requests nothing before the form has rendered. */
  start() {
    document.body.append(this.#challenge);
    this.#channel.listen((message) => this.#onMessage(message));
    this.#channel.send({ type: 'theme', ...tokensByProperty });
    // The element may have sent its colors while the system's forced colors still applied.
    matchMedia(FORCED_COLORS).addEventListener('change', () => this.#applyTheme());
  }

  /** Handles a request of the page. A payment waits until the merchant's page allows it. */
  handle(request: PageRequest) {
    if (request.type !== 'submit' && request.type !== 'start_method') {
      void this.#store.dispatch(request);
      return;
    }
    if (this.#pendingRequest || this.#store.view.activity !== 'idle') return;
    this.#pendingRequest = request;
    this.#store.patch({ activity: 'requesting' });
    this.#channel.send({ type: 'pay-submit', trigger: this.#isPageSubmitting ? 'page' : 'buyer' });
  }

  /**
   * Shows the 3-D Secure challenge in the frame, or leaves the page for it. The dialog loads separately, because most
   * payments need none. If it cannot load, the page is left: Chromium never loads a failed module again.
   */
  readonly showChallenge = async (address: string) => {
    const redirect = this.#configuration?.redirect === 'top' || !(await loadDialog());
    const { phase, reference } = this.#store.view.state;
    if (phase !== 'challenge') return;
    this.#channel.send({ type: 'pay-challenge', reference, redirect });
    if (redirect) this.#channel.send({ type: 'leave', address });
    else {
      this.#channel.send({ type: 'reveal' });
      this.#challenge.show(address);
    }
  };

  #onView(view: PageView) {
    const before = this.#shownView;
    this.#shownView = view;
    for (const event of payEvents(before, view, this.#page)) this.#channel.send(event);
    if (view.selectedMethod !== before?.selectedMethod) this.#sendFormState();
    this.#challenge.problem = view.problem === 'abandon_failed' ? this.#page.i18n.text('problems.abandon_failed') : '';
    if (view.activity === 'submitting') void loadDialog();
    // Not loaded yet: not open.
    if (view.state.phase !== 'challenge') this.#challenge.close?.();
  }

  #onMessage(message: ToFrame) {
    switch (message.type) {
      case 'configure': {
        const { type: _type, ...configuration } = message;
        this.#configure(configuration);
        return;
      }
      case 'permission':
        this.#onPermission(message.granted);
        return;
      case 'submit':
        this.#submit();
        return;
      case 'report':
        this.#page.cardForm?.report();
        return;
      case 'reset':
        this.#page.cardForm?.reset();
        return;
      case 'focus':
        this.#page.cardForm?.focus();
    }
  }

  #configure(configuration: FrameConfiguration) {
    const before = this.#configuration;
    this.#configuration = configuration;
    const { disabled, button, billing, locale } = configuration;
    this.#applyTheme();
    // Sending the same billing details again must not overwrite the buyer's corrections.
    const isSame = JSON.stringify(before?.billing) === JSON.stringify(billing);
    const prefill = isSame ? this.#page.frame?.billing : parseBilling(billing);
    this.#page.frame = { disabled, button, billing: prefill ?? {} };
    this.#applyDirection();
    if (locale !== this.#locale) void this.#changeLanguage(locale);
    if (!before) void this.#reveal();
  }

  #applyTheme() {
    if (!this.#configuration) return;
    const warnings = applyTheme(document.documentElement, this.#configuration);
    clearTimeout(this.#warningTimer);
    this.#warningTimer = setTimeout(() => {
      for (const warning of warnings) if (!this.#loggedWarnings.includes(warning)) warn(warning);
      this.#loggedWarnings = warnings;
    }, WARNING_DELAY_MS);
  }

  /** Reveals the form after the first configuration, so that its appearance does not change in view. */
  async #reveal() {
    await this.#page.updateComplete;
    this.#sendTexts();
    this.#onView(this.#store.view);
    // Sent immediately: browsers don't observe elements that are not rendered.
    this.#sendHeight();
    new ResizeObserver(() => this.#sendHeight()).observe(document.body);
    if (this.#isSubmitPending) this.#submit();
  }

  /** Sends the height. Sent again when the frame becomes visible, because the page's look may have changed. */
  #sendHeight() {
    const height = bodyHeight();
    if (height === this.#height) return;
    this.#height = height;
    if (height > 0) this.#channel.send({ type: 'height', height });
    else this.#pollVisibility();
  }

  /** Polls, because some browsers don't notify a frame that is not rendered when it becomes visible. */
  #pollVisibility() {
    setTimeout(() => {
      if (bodyHeight() > 0) this.#sendHeight();
      else this.#pollVisibility();
    }, VISIBILITY_POLL_MS);
  }

  /** Only after `pay-ready`, so that listeners know that there is a form. Without the card, nothing must be filled in. */
  #sendFormState() {
    if (!this.#shownView) return;
    const isCard = this.#page.formToSend(this.#shownView) === 'card-form';
    const complete = this.#shownView.selectedMethod !== '';
    const state = isCard ? this.#formState : { complete, empty: true, brand: null, invalid: [] };
    if (state) this.#channel.send({ type: 'pay-change', ...state });
  }

  #sendTexts() {
    const { i18n } = this.#page;
    this.#channel.send({
      type: 'labels',
      title: i18n.text(this.#textsName === 'card' ? 'frame.label' : 'frame.label_link'),
      incomplete: i18n.text('frame.incomplete'),
    });
  }

  #applyDirection() {
    const direction = this.#configuration?.direction;
    const isRightToLeft = direction === 'rtl' || (direction !== 'ltr' && this.#isRightToLeft);
    document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr';
  }

  /** Changes the language of the open page. Field values are kept. */
  async #changeLanguage(locale: string) {
    const localeBefore = this.#locale;
    this.#locale = locale;
    const texts = await this.#fetchTexts(locale || navigator.language);
    if (this.#locale !== locale) return;
    if (!texts) {
      this.#locale = localeBefore;
      return;
    }
    this.#isRightToLeft = texts.direction === 'rtl';
    this.#page.i18n = new I18n(texts.texts, texts.locale, texts.amountLocale);
    this.#challenge.i18n = this.#page.i18n;
    document.documentElement.lang = texts.locale;
    this.#applyDirection();
    this.#sendTexts();
  }

  async #fetchTexts(locale: string): Promise<PageTexts | null> {
    try {
      const response = await fetch(`/texts/${this.#textsName}/${encodeURIComponent(locale)}`);
      if (response.ok) return (await response.json()) as PageTexts;
    } catch {
      // No connection: handled below, like any other failure.
    }
    warn(`could not load the translation for "${locale}". The form keeps its language.`);
    return null;
  }

  #onPermission(isAllowed: boolean) {
    const request = this.#pendingRequest;
    if (!request) return;
    this.#pendingRequest = null;
    this.#store.patch({ activity: 'idle' });
    if (isAllowed) void this.#store.dispatch(request);
    else this.#channel.send({ type: 'pay-cancel', reference: this.#store.view.state.reference, reason: 'prevented' });
  }

  /** `submit()` of the merchant's page. Always responds with an event, even if nothing can be sent. */
  #submit() {
    const { state, activity } = this.#store.view;
    const { i18n } = this.#page;
    if (activity !== 'idle') return;
    this.#isSubmitPending = !this.#shownView;
    if (this.#isSubmitPending) return;
    if (state.phase !== 'ready') {
      for (const event of payEvents(null, this.#store.view, this.#page)) {
        if (event.type !== 'pay-ready') this.#channel.send(event);
      }
      return;
    }
    this.#isPageSubmitting = true;
    const isComplete = this.#page.pay();
    this.#isPageSubmitting = false;
    if (isComplete) return;
    const { reference } = state;
    this.#channel.send({
      type: 'pay-error',
      code: 'incomplete',
      message: i18n.text('frame.incomplete'),
      retryable: true,
      reference,
    });
  }
}

/** Zero while the frame is not rendered: some browsers then lay it out without a width. */
function bodyHeight(): number {
  return innerWidth === 0 ? 0 : Math.ceil(document.body.getBoundingClientRect().height);
}

function loadDialog(): Promise<boolean> {
  return import('./challenge-dialog.ts').then(
    () => true,
    () => false,
  );
}

function parseBilling(billing: FrameConfiguration['billing']): BillingDetails {
  const { details, refused } = readBilling(billing);
  if (refused.length > 0) warn(`ignored billing fields that are unknown or not strings: ${refused.join(', ')}.`);
  return details;
}

/** Logs a warning for the developer of the merchant's page. */
function warn(text: string) {
  // oxlint-disable-next-line no-console -- the console is the only place where the developer sees it
  console.warn(`<pay-form>: ${text}`);
}
