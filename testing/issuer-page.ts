import type { FrameLocator, Locator, Page } from '@playwright/test';
import { texts } from './texts.ts';

/** The sandbox's 3-D Secure challenge, on its own page or in the form's dialog. */
export class IssuerPage {
  /** Heading of the challenge. */
  readonly heading: Locator;

  readonly #root: Page | FrameLocator;
  readonly #leave: () => Promise<unknown>;

  /** The challenge on its own page. For the challenge in a form, use {@link PayForm.issuer}. */
  constructor(page: Page);
  constructor(frame: FrameLocator, leave: () => Promise<unknown>);
  constructor(root: Page | FrameLocator, leave?: () => Promise<unknown>) {
    this.#root = root;
    this.#leave = leave ?? (() => (root as Page).goBack());
    this.heading = root.getByRole('heading', { name: texts.issuer.title });
  }

  async approve() {
    await this.#decide(texts.issuer.approve);
  }

  async decline() {
    await this.#decide(texts.issuer.decline);
  }

  /** Leaves the challenge without a decision: closes the dialog, or goes back to the previous page. */
  async leave() {
    await this.heading.waitFor();
    await this.#leave();
    await this.#waitUntilClosed();
  }

  async #decide(button: string) {
    await this.#root.getByRole('button', { name: button }).click();
    await this.#waitUntilClosed();
  }

  /** Waits until the challenge is closed, so that later checks don't see it. */
  async #waitUntilClosed() {
    try {
      await this.heading.waitFor({ state: 'hidden' });
    } catch (error) {
      // The surrounding page may continue immediately and remove the frame during the check.
      if (await this.heading.isVisible()) throw error;
    }
  }
}
