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

/** How often a form that is not shown looks whether it is. */
const UNSEEN_LOOK_MS = 200;

/** How long a look must have rested before it is judged aloud: from one to the next it passes through what nobody wrote. */
const LOOK_RESTS_MS = 100;

/** What sets out to pay: the merchant's page is asked first. */
type PaymentRequest = Extract<PageRequest, { type: 'submit' | 'begin_method' }>;

/**
 * A payment page inside a merchant's page: tells the element around it what happens, heeds what it
 * decides, asks it before a card is sent, and shows the bank's confirmation without leaving.
 */
export class Embedding {
  readonly #page: PaymentPage;
  readonly #store: PaymentStore;
  /** Where the texts of another language are. */
  readonly #textsOf: ScriptedPage;
  readonly #channel: ParentChannel;
  readonly #challenge: ChallengeDialog;
  #configuration: FrameConfiguration | null = null;
  #shown: PageView | null = null;
  #formState: CardFormState | null = null;
  /** What the page was last asked for; what it has may be a near relative. */
  #locale: string;
  #isRightToLeft: boolean;
  #waiting: PaymentRequest | null = null;
  #isPageAsking = false;
  #height: number | null = null;
  /** What of the look could not be used, as the developer was told. */
  #unusable: string[] = [];
  #warning: ReturnType<typeof setTimeout> | undefined;
  /** Asked to pay before there was anything to see. */
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

  /** Begins to speak; the element asks for nothing before it has been shown something. */
  start() {
    document.body.append(this.#challenge);
    this.#channel.listen((message) => this.#hear(message));
    this.#channel.tell({ type: 'theme', ...askedTokens });
    // The element may have told its colours while those that the reader forces still stood before ours.
    matchMedia(FORCED_COLORS).addEventListener('change', () => this.#takeLook());
  }

  /** What the page asks of the store: what sets out to pay waits for the merchant's page. */
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

  /** The bank's confirmation, in the frame or by leaving the page. */
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
    // The same again must not undo what the buyer has put right.
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

  /** The first configuration is there: now nothing that is shown has to change its looks again. */
  async #appear() {
    await this.#page.updateComplete;
    this.#name();
    this.#show(this.#store.view);
    if (this.#formState) this.#tellForm(this.#formState);
    // Said at once: browsers do not observe what is not on the screen yet.
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(document.body);
    if (this.#isSubmitDue) this.#submit();
  }

  /** Told again when it comes back to sight: the page may have changed its looks meanwhile. */
  #measure() {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === this.#height) return;
    this.#height = height;
    if (height > 0) this.#channel.tell({ type: 'height', height });
    else this.#awaitSight();
  }

  /** Browsers that draw nothing of a frame do not tell it when they begin to. */
  #awaitSight() {
    setTimeout(() => {
      if (document.body.getBoundingClientRect().height > 0) this.#measure();
      else this.#awaitSight();
    }, UNSEEN_LOOK_MS);
  }

  /** After `pay-ready` only: whoever hears of the form must know that there is one. */
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

  /** Another language for the open page: what has been typed stays where it is. */
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
      // No connection: told below, as any other failure.
    }
    warn(`the texts for "${locale}" could not be fetched, and the form keeps its language.`);
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

  /** The page's own button: it is told what comes of it, also when nothing can be sent. */
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
    warn(`of billing, these are not used, for they are no text or no field: ${refused.join(', ')}.`);
  return details;
}

/** For the developer of the page around the frame. */
function warn(text: string) {
  // oxlint-disable-next-line no-console -- a developer looks there, and nobody else can be told
  console.warn(`<pay-form>: ${text}`);
}
