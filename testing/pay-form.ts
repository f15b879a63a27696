import type { FrameLocator, Locator } from '@playwright/test';
import type { CardValues } from '../src/shared/card-form.ts';
import { IssuerPage } from './issuer-page.ts';
import type { Outcome } from './outcomes.ts';
import { PaymentForm } from './payment-form.ts';
import { texts } from './texts.ts';

export interface PayFormOptions {
  /** The page's own button, for a form with `no-button`. */
  payButton?: Locator;
}

/** A `<pay-form>` on a merchant's page. */
export class PayForm extends PaymentForm {
  /** The 3-D Secure challenge in the form's dialog. If the page navigates to it, use `new IssuerPage(page)`. */
  readonly issuer: IssuerPage;

  readonly #element: Locator;
  readonly #usesPageButton: boolean;
  /** A payment that the page's own button started. The form shows no progress for it, but fires the final event. */
  #ended: Promise<void> = Promise.resolve();

  constructor(element: Locator, { payButton }: PayFormOptions = {}) {
    const frame = element.locator('iframe').contentFrame();
    super(frame, payButton);
    this.#element = element;
    this.#usesPageButton = payButton !== undefined;
    this.issuer = issuerInDialog(frame);
  }

  override async fill(card: Partial<CardValues>) {
    // The frame is visible once it has received its configuration.
    await this.#element.locator('iframe').waitFor();
    await super.fill(card);
  }

  override async pay() {
    if (this.#usesPageButton) {
      const attempt = await this.#element.evaluateHandle(listenForEnd);
      // If the page navigates away, there is nothing to wait for.
      this.#ended = attempt.evaluate(async ({ ended }) => await ended).catch(() => {});
    }
    await super.pay();
  }

  override async outcome(): Promise<Outcome> {
    const outcome = super.outcome();
    const challenge = this.issuer.heading.waitFor().then((): Outcome => 'challenge');
    try {
      return await Promise.any([outcome, challenge]);
    } catch {
      // Neither appeared: throw one of the errors instead of an aggregate.
      return await outcome;
    }
  }

  protected override async waitUntilIdle() {
    await this.#ended;
    await super.waitUntilIdle();
  }

  /** The dialog opens before the issuer's page has loaded, which may show no challenge. */
  protected override headingOutcomes() {
    return super.headingOutcomes().filter((outcome) => outcome !== 'challenge');
  }
}

/** Returns an object, because `evaluateHandle` would wait for a promise. */
function listenForEnd(element: Element): { ended: Promise<void> } {
  const ended = new Promise<void>((resolve) => {
    for (const type of ['success', 'pending', 'challenge', 'decline', 'cancel', 'error'])
      element.addEventListener(`pay-${type}`, () => resolve(), { once: true });
  });
  return { ended };
}

function issuerInDialog(frame: FrameLocator): IssuerPage {
  const dialog = frame.getByRole('dialog');
  const bank = dialog.getByTitle(texts.frame.challenge_frame).contentFrame();
  return new IssuerPage(bank, () => dialog.getByRole('button', { name: texts.frame.close }).click());
}
