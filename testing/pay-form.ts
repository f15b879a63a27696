import type { FrameLocator, Locator } from '@playwright/test';
import type { CardValues } from '../src/shared/card-form.ts';
import { IssuerPage } from './issuer-page.ts';
import { type Outcome, PaymentForm } from './payment-form.ts';
import { words } from './words.ts';

export interface PayFormOptions {
  /** The page's own button, for a form with `no-button`. */
  payButton?: Locator;
}

/** A `<pay-form>` on a merchant's page. */
export class PayForm extends PaymentForm {
  /** The 3-D Secure challenge in the form's dialog. If the page leaves for it, use `new IssuerPage(page)`. */
  readonly issuer: IssuerPage;

  readonly #element: Locator;
  readonly #isPaidByPage: boolean;
  /** A payment that the page's own button started. The form shows no progress for it, but fires the final event. */
  #news: Promise<void> = Promise.resolve();

  constructor(element: Locator, { payButton }: PayFormOptions = {}) {
    const frame = element.locator('iframe').contentFrame();
    super(frame, payButton);
    this.#element = element;
    this.#isPaidByPage = payButton !== undefined;
    this.issuer = issuerIn(frame);
  }

  override async fill(card: Partial<CardValues>) {
    // The frame is visible once it has received its configuration.
    await this.#element.locator('iframe').waitFor();
    await super.fill(card);
  }

  override async pay() {
    // If the page navigates away, there is nothing to wait for.
    if (this.#isPaidByPage) this.#news = this.#element.evaluate(nextNews).catch(() => {});
    await super.pay();
  }

  override async outcome(): Promise<Outcome> {
    const told = super.outcome();
    const asked = this.issuer.question.waitFor().then((): Outcome => 'challenge');
    try {
      return await Promise.any([told, asked]);
    } catch {
      // Neither appeared: throw one of the errors instead of an aggregate.
      return await told;
    }
  }

  protected override async settled() {
    await this.#news;
    await super.settled();
  }

  /** The dialog opens before the issuer's page has loaded, which may show no challenge. */
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
