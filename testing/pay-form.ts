import type { FrameLocator, Locator } from '@playwright/test';
import type { CardValues } from '../src/shared/card-form.ts';
import { IssuerPage } from './issuer-page.ts';
import { type Outcome, PaymentForm } from './payment-form.ts';
import { words } from './words.ts';

export interface PayFormOptions {
  /** The page's own button, where the form has none (`no-button`). */
  payButton?: Locator;
}

/** A `<pay-form>` on a merchant's page. */
export class PayForm extends PaymentForm {
  /** The bank's confirmation in the form's dialog; where the page goes to the bank, use `new IssuerPage(page)`. */
  readonly issuer: IssuerPage;

  readonly #element: Locator;
  readonly #isPaidByPage: boolean;
  /** A payment that the page's own button has begun: the form shows nothing while it is under way, but tells the end. */
  #news: Promise<void> = Promise.resolve();

  constructor(element: Locator, { payButton }: PayFormOptions = {}) {
    const frame = element.locator('iframe').contentFrame();
    super(frame, payButton);
    this.#element = element;
    this.#isPaidByPage = payButton !== undefined;
    this.issuer = issuerIn(frame);
  }

  override async fill(card: Partial<CardValues>) {
    // Shown only once it has heard what the page knows and decides.
    await this.#element.locator('iframe').waitFor();
    await super.fill(card);
  }

  override async pay() {
    // When the page is left, there is nobody to wait for.
    if (this.#isPaidByPage) this.#news = this.#element.evaluate(nextNews).catch(() => {});
    await super.pay();
  }

  override async outcome(): Promise<Outcome> {
    const told = super.outcome();
    const asked = this.issuer.question.waitFor().then((): Outcome => 'challenge');
    try {
      return await Promise.any([told, asked]);
    } catch {
      // Neither has come: say it as one of them, not as both in one.
      return await told;
    }
  }

  protected override async settled() {
    await this.#news;
    await super.settled();
  }

  /** The dialog stands before the bank has been heard, which may ask for nothing. */
  protected override toldOutcomes() {
    return super.toldOutcomes().filter((outcome) => outcome !== 'challenge');
  }
}

function nextNews(element: Element): Promise<void> {
  return new Promise((resolve) => {
    for (const type of ['success', 'pending', 'challenge', 'decline', 'cancel', 'error'])
      element.addEventListener(`pay-${type}`, () => resolve(), { once: true });
  });
}

function issuerIn(frame: FrameLocator): IssuerPage {
  const dialog = frame.getByRole('dialog');
  const bank = dialog.getByTitle(words.frame.challenge_frame).contentFrame();
  return new IssuerPage(bank, () => dialog.getByRole('button', { name: words.frame.close }).click());
}
