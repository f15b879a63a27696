import type { PageDocument, PageTexts, ScriptedPage } from '../../../src/api/page-state.ts';
import {
  type BillingDetails,
  type FrameConfiguration,
  readBilling,
  type ToFrame,
} from '../../../src/shared/frame/to-frame.ts';
import type { CardFormState } from '../elements/card-form.ts';
import { Wording } from '../elements/text.ts';
import type { PageView } from '../store/page-view.ts';
import type { PaymentPage } from '../store/payment-page.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import type { PageRequest } from '../store/requests.ts';
import type { ChallengeDialog } from './challenge-dialog.ts';
import type { ParentChannel } from './parent-channel.ts';
import { payEvents } from './pay-events.ts';
import { applyTheme, askedTokens, FORCED_COLORS } from './theme.ts';
import './challenge-dialog.ts';

/** How often a hidden form checks whether it is visible. */
const UNSEEN_LOOK_MS = 200;

/** Delay before theme warnings are logged: a transition passes through values that the merchant never set. */
const LOOK_RESTS_MS = 100;

/** Requests that start a payment. The merchant's page must allow them. */
type PaymentRequest = Extract<PageRequest, { type: 'submit' | 'begin_method' }>;

/**
 * Connects a payment page inside a merchant's frame with the element around it. It reports events, applies the
 * element's configuration, asks for permission before a payment, and shows the 3-D Secure challenge in the frame.
 */
export class Embedding {
  readonly #page: PaymentPage;
  readonly #store: PaymentStore;
  /** Page whose texts are loaded for another language. */
  readonly #textsOf: ScriptedPage;
  readonly #channel: ParentChannel;
  readonly #challenge: ChallengeDialog;
  #configuration: FrameConfiguration | null = null;
  #shown: PageView | null = null;
  #formState: CardFormState | null = null;
  /** Last requested locale. The page may show a related one. */
  #locale: string;
  #isRightToLeft: boolean;
  #waiting: PaymentRequest | null = null;
  #isPageAsking = false;
  #height: number | null = null;
  /** Theme warnings that have been logged. */
  #unusable: string[] = [];
  #warning: ReturnType<typeof setTimeout> | undefined;
  /** `submit()` was called before the form was visible. */
  #isSubmitDue = false;

  constructor(
    channel: ParentChannel,
    page: PaymentPage,
    store: PaymentStore,
    pageDocument: PageDocument,
    textsOf: ScriptedPage,
  ) {
    this.#channel = channel;
    this.#page = page;
    this.#store = store;
    this.#textsOf = textsOf;
    this.#locale = new URLSearchParams(location.search).get('locale') ?? '';
    this.#isRightToLeft = pageDocument.direction === 'rtl';
    this.#challenge = document.createElement('challenge-dialog');
    this.#challenge.words = page.words;
    page.frame = { disabled: false, button: true, billing: {} };
    page.addEventListener('card-change', (event) => this.#tellForm((event as CustomEvent<CardFormState>).detail));
    this.#challenge.addEventListener('challenge-step', () => void store.dispatch({ type: 'refresh' }));
    this.#challenge.addEventListener('challenge-leave', () => void store.dispatch({ type: 'abandon' }));
    store.subscribe((view) => {
      if (this.#shown) this.#show(view);
    });
  }

  /** Opens the channel. The element requests nothing before the form has rendered. */
  start() {
    document.body.append(this.#challenge);
    this.#channel.listen((message) => this.#hear(message));
    this.#channel.tell({ type: 'theme', ...askedTokens });
    // The element may have sent its colours while the reader's forced colours still applied.
    matchMedia(FORCED_COLORS).addEventListener('change', () => this.#takeLook());
  }

  /** Handles a request of the page. A payment waits until the merchant's page allows it. */
  carry(request: PageRequest) {
    if (request.type !== 'submit' && request.type !== 'begin_method') {
      void this.#store.dispatch(request);
      return;
    }
    if (this.#waiting || this.#store.view.activity !== 'idle') return;
    this.#waiting = request;
    this.#store.patch({ activity: 'permitting' });
    this.#channel.tell({ type: 'pay-submit', trigger: this.#isPageAsking ? 'page' : 'buyer' });
  }

  /** Shows the 3-D Secure challenge in the frame, or leaves the page for it. */
  readonly showChallenge = (address: string) => {
    const { reference } = this.#store.view.state;
    const redirect = this.#configuration?.redirect === 'top';
    this.#channel.tell({ type: 'pay-challenge', reference, redirect });
    if (redirect) this.#channel.tell({ type: 'leave', address });
    else {
      this.#channel.tell({ type: 'reveal' });
      this.#challenge.show(address);
    }
  };

  #show(view: PageView) {
    for (const event of payEvents(this.#shown, view, this.#page)) this.#channel.tell(event);
    this.#shown = view;
    this.#challenge.problem = view.problem === 'abandon_failed' ? this.#page.words.text('problems.abandon_failed') : '';
    if (view.state.phase !== 'challenge') this.#challenge.close();
  }

  #hear(message: ToFrame) {
    switch (message.type) {
      case 'configure': {
        const { type: _type, ...configuration } = message;
        this.#configure(configuration);
        return;
      }
      case 'verdict':
        this.#decide(message.go);
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
    this.#takeLook();
    // Sending the same billing details again must not overwrite the buyer's corrections.
    const isSame = JSON.stringify(before?.billing) === JSON.stringify(billing);
    const known = isSame ? this.#page.frame?.billing : billingOf(billing);
    this.#page.frame = { disabled, button, billing: known ?? {} };
    this.#direct();
    if (locale !== this.#locale) void this.#translate(locale);
    if (!before) void this.#appear();
  }

  #takeLook() {
    if (!this.#configuration) return;
    const unusable = applyTheme(document.documentElement, this.#configuration);
    clearTimeout(this.#warning);
    this.#warning = setTimeout(() => {
      for (const each of unusable) if (!this.#unusable.includes(each)) warn(each);
      this.#unusable = unusable;
    }, LOOK_RESTS_MS);
  }

  /** Reveals the form after the first configuration. From here on its look no longer changes by itself. */
  async #appear() {
    await this.#page.updateComplete;
    this.#name();
    this.#show(this.#store.view);
    if (this.#formState) this.#tellForm(this.#formState);
    // Sent immediately: browsers don't observe elements that are not rendered.
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(document.body);
    if (this.#isSubmitDue) this.#submit();
  }

  /** Sends the height. Sent again when the frame becomes visible, because the page's look may have changed. */
  #measure() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === this.#height) return;
    this.#height = height;
    if (height > 0) this.#channel.tell({ type: 'height', height });
    else this.#awaitSight();
  }

  /** Polls, because some browsers don't notify a frame that is not rendered when it becomes visible. */
  #awaitSight() {
    setTimeout(() => {
      if (document.body.getBoundingClientRect().height > 0) this.#measure();
      else this.#awaitSight();
    }, UNSEEN_LOOK_MS);
  }

  /** Only after `pay-ready`, so that listeners know that there is a form. */
  #tellForm(state: CardFormState) {
    this.#formState = state;
    if (this.#shown) this.#channel.tell({ type: 'pay-change', ...state });
  }

  #name() {
    const { words } = this.#page;
    this.#channel.tell({
      type: 'words',
      label: words.text(this.#textsOf === 'card' ? 'frame.label' : 'frame.label_link'),
      incomplete: words.text('frame.incomplete'),
    });
  }

  #direct() {
    const direction = this.#configuration?.direction;
    const isRightToLeft = direction === 'rtl' || (direction !== 'ltr' && this.#isRightToLeft);
    document.documentElement.dir = isRightToLeft ? 'rtl' : 'ltr';
  }

  /** Changes the language of the open page. Field values are kept. */
  async #translate(locale: string) {
    const localeBefore = this.#locale;
    this.#locale = locale;
    const texts = await this.#fetchTexts(locale || navigator.language);
    if (this.#locale !== locale) return;
    if (!texts) {
      this.#locale = localeBefore;
      return;
    }
    this.#isRightToLeft = texts.direction === 'rtl';
    this.#page.words = new Wording(texts.texts, texts.locale, texts.amountLocale);
    this.#challenge.words = this.#page.words;
    document.documentElement.lang = texts.locale;
    this.#direct();
    this.#name();
  }

  async #fetchTexts(locale: string): Promise<PageTexts | null> {
    try {
      const response = await fetch(`/texts/${this.#textsOf}/${encodeURIComponent(locale)}`);
      if (response.ok) return (await response.json()) as PageTexts;
    } catch {
      // No connection: handled below, like any other failure.
    }
    warn(`could not load the texts for "${locale}". The form keeps its language.`);
    return null;
  }

  #decide(go: boolean) {
    const request = this.#waiting;
    if (!request) return;
    this.#waiting = null;
    this.#store.patch({ activity: 'idle' });
    if (go) void this.#store.dispatch(request);
    else this.#channel.tell({ type: 'pay-cancel', reference: this.#store.view.state.reference, reason: 'prevented' });
  }

  /** `submit()` of the merchant's page. Always answered with an event, even if nothing can be sent. */
  #submit() {
    const { state, activity } = this.#store.view;
    const { words } = this.#page;
    if (activity !== 'idle') return;
    this.#isSubmitDue = !this.#shown;
    if (this.#isSubmitDue) return;
    if (state.phase !== 'ready') {
      for (const event of payEvents(null, this.#store.view, this.#page)) {
        if (event.type !== 'pay-ready') this.#channel.tell(event);
      }
      return;
    }
    this.#isPageAsking = true;
    const isComplete = this.#page.pay();
    this.#isPageAsking = false;
    if (isComplete) return;
    const { reference } = state;
    this.#channel.tell({
      type: 'pay-error',
      code: 'incomplete',
      message: words.text('frame.incomplete'),
      retryable: true,
      reference,
    });
  }
}

function billingOf(given: FrameConfiguration['billing']): BillingDetails {
  const { details, refused } = readBilling(given);
  if (refused.length > 0)
    warn(`ignored entries of billing, because they are not text or not a known field: ${refused.join(', ')}.`);
  return details;
}

/** Logs a warning for the developer of the merchant's page. */
function warn(text: string) {
  // oxlint-disable-next-line no-console -- the console is the only place where the developer sees it
  console.warn(`<pay-form>: ${text}`);
}
