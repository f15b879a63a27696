import type { FrameLocator, Locator, Page } from '@playwright/test';
import { words } from './words.ts';

/** The sandbox's bank, where a buyer confirms a payment (3-D Secure): a page of its own, or in the form's dialog. */
export class IssuerPage {
  /** What the bank asks. */
  readonly question: Locator;

  readonly #place: Page | FrameLocator;
  readonly #leave: () => Promise<unknown>;

  /** A page that has gone to the bank; the bank in a form is {@link PayForm.issuer}. */
  constructor(page: Page);
  constructor(frame: FrameLocator, leave: () => Promise<unknown>);
  constructor(place: Page | FrameLocator, leave?: () => Promise<unknown>) {
    this.#place = place;
    this.#leave = leave ?? (() => (place as Page).goBack());
    this.question = place.getByRole('heading', { name: words.issuer.title });
  }

  async approve() {
    await this.#answer(words.issuer.approve);
  }

  async refuse() {
    await this.#answer(words.issuer.refuse);
  }

  /** Walks away without an answer: closes the dialog, or goes back to the page before. */
  async leave() {
    await this.question.waitFor();
    await this.#leave();
    await this.#wasLeft();
  }

  async #answer(button: string) {
    await this.#place.getByRole('button', { name: button }).click();
    await this.#wasLeft();
  }

  /** What is asked next must not be about the bank's question any more. */
  async #wasLeft() {
    try {
      await this.question.waitFor({ state: 'hidden' });
    } catch (error) {
      // The page around it may go on at once, and take the bank's frame away in the middle of a look at it.
      if (await this.question.isVisible()) throw error;
    }
  }
}
