import type { FrameLocator, Locator, Page } from '@playwright/test';
import { type CardFieldName, type CardValues, cardFieldNames } from '../src/shared/card-form.ts';
import { anyOf, words } from './words.ts';

/** What came of a payment: named like the events of `<pay-form>`, `pay-success` and so on. */
export type Outcome = 'success' | 'pending' | 'challenge' | 'decline' | 'cancel' | 'error';

const { phases, decline, problems, issuer, frame, sent, restricted } = words;

/** The headings that tell an outcome. */
const headings: Record<Outcome, RegExp> = {
  success: anyOf(phases.paid.title, phases.paid.again_title),
  pending: anyOf(phases.checking.title, sent.confirmations_title, sent.merchant_title),
  challenge: anyOf(phases.challenge.title, issuer.title),
  decline: anyOf(decline.title),
  cancel: anyOf(decline.titles.authentication_abandoned, phases.cancelled.title),
  error: anyOf(
    problems.title,
    ...Object.values(problems.titles),
    phases.expired.title,
    frame.expired_title,
    phases.failed.title,
    sent.failed_part_title,
    phases.restricted.title,
    restricted.named_title,
    restricted.unknown_title,
  ),
};

/** What a buyer does with the form and reads in it, wherever it stands. */
export abstract class PaymentForm {
  /** The button that pays. */
  readonly payButton: Locator;

  readonly #place: Page | FrameLocator;
  readonly #busyButton: Locator;

  protected constructor(place: Page | FrameLocator, payButton?: Locator) {
    this.#place = place;
    this.payButton = payButton ?? place.getByRole('button', { name: anyOf(words.pay.button) });
    this.#busyButton = place.getByRole('button', { name: anyOf(words.pay.busy, words.pay.leaving) });
  }

  /** A field of the form, by its name in a card submission; `card_expiry` is month and year. */
  field(name: CardFieldName): Locator {
    return this.#place.getByLabel(words.fields[name], { exact: true });
  }

  /** Opens a payment method, by its full name. */
  async choose(method: string) {
    const name = this.#place.getByText(method, { exact: true });
    await this.#place.locator('label').filter({ has: name }).getByRole('radio').check();
  }

  /** Types what is given; fields that the form does not ask for are left out. */
  async fill(card: Partial<CardValues>) {
    await this.field('card_number').waitFor();
    // The last of them; where it is not asked for, it is there and hidden.
    await this.field('email').waitFor({ state: 'attached' });
    for (const name of cardFieldNames) {
      const field = this.field(name);
      const value = card[name];
      if (value === undefined || !(await field.isVisible())) continue;
      if (name === 'country') await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** Presses the button that pays, and does not wait for what comes of it. */
  async pay() {
    // Scrolled to in the click itself, a page's own button may lose it to the frame that was there before.
    await this.payButton.scrollIntoViewIfNeeded();
    await this.payButton.click();
  }

  async fillAndPay(scenario: CardValues) {
    await this.fill(scenario);
    await this.pay();
  }

  /** What the form says is wrong, by the names of the fields. */
  async mistakes(): Promise<Partial<Record<CardFieldName, string>>> {
    await this.settled();
    const mistakes: Partial<Record<CardFieldName, string>> = {};
    for (const name of cardFieldNames) {
      const mistake = await this.field(name).evaluate(readMistake);
      if (mistake !== null) mistakes[name] = mistake;
    }
    return mistakes;
  }

  /** Waits until there is an outcome and tells it. Where the page goes on to the shop by itself, wait for the shop's page instead. */
  async outcome(): Promise<Outcome> {
    await this.settled();
    const told = this.toldOutcomes();
    const isAny = new RegExp(told.map((outcome) => headings[outcome].source).join('|'));
    const heading = this.#place.getByRole('heading', { name: isAny }).first();
    const text = (await heading.innerText()).trim();
    const outcome = told.find((each) => headings[each].test(text));
    if (!outcome) throw new Error(`No outcome is known by the words “${text}”`);
    return outcome;
  }

  /** Until the payment is under way no more, what can be read is about the one before. */
  protected async settled() {
    await this.#busyButton.waitFor({ state: 'hidden' });
  }

  /** The outcomes that a heading of this place tells. */
  protected toldOutcomes(): Outcome[] {
    return Object.keys(headings) as Outcome[];
  }
}

function readMistake(field: Element): string | null {
  if (field.getAttribute('aria-invalid') !== 'true') return null;
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  return description?.textContent.trim() ?? '';
}
