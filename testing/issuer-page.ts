import type { FrameLocator, Locator, Page } from '@playwright/test';
import { words } from './words.ts';

/** The sandbox's 3-D Secure challenge, on its own page or in the form's dialog. */
export class IssuerPage {
  /** Heading of the challenge. */
  readonly question: Locator;

  readonly #place: Page | FrameLocator;
  readonly #leave: () => Promise<unknown>;

  /** The challenge on its own page. For the challenge in a form, use {@link PayForm.issuer}. */
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

  /** Leaves the challenge without a decision: closes the dialog, or goes back to the previous page. */
  async leave() {
    await this.question.waitFor();
    await this.#leave();
    await this.#wasLeft();
  }

  async #answer(button: string) {
    await this.#place.getByRole('button', { name: button }).click();
    await this.#wasLeft();
  }

  /** Waits until the challenge is closed, so that later checks don't see it. */
  async #wasLeft() {
    try {
      await this.question.waitFor({ state: 'hidden' });
    } catch (error) {
      // The surrounding page may continue immediately and remove the frame during the check.
      if (await this.question.isVisible()) throw error;
    }
  }
}
