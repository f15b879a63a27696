import type { FrameLocator, Locator, Page } from '@playwright/test';
import { PayForm } from '../../testing/index.ts';
import type { PayFormEventMap } from '../../widget/events.ts';
import type { RemoteServer } from '../support/server-process.ts';
import { expect } from './fixtures.ts';

/** An event of the element as the merchant's page heard it, without what no message can carry. */
export interface Told {
  type: keyof PayFormEventMap;
  detail: Record<string, unknown>;
}

export interface CheckoutOptions {
  /** Fields of the transaction. */
  payment?: Record<string, unknown>;
  /** In place of the embed address of a new transaction. */
  src?: string;
  /** Attributes of the element, as markup. */
  attributes?: string;
  /** The page around the element. */
  around?: (element: string) => string;
  /** A script of the merchant's, before the element's own. */
  script?: string;
  head?: string;
  policy?: string;
}

/** A merchant's checkout page, on a site of its own, that notes every event of its `<pay-form>`. */
export class Checkout {
  readonly page: Page;
  readonly address: string;
  readonly reference: string;
  readonly element: Locator;
  readonly frame: FrameLocator;
  readonly form: PayForm;
  /** In the order in which they came, across pages. */
  readonly events: readonly Told[];

  private constructor(page: Page, address: string, reference: string, events: readonly Told[]) {
    this.page = page;
    this.address = address;
    this.reference = reference;
    this.events = events;
    this.element = page.locator('pay-form');
    this.frame = this.element.locator('iframe').contentFrame();
    this.form = new PayForm(this.element);
  }

  /** Puts the page up, and goes there. */
  static async open(page: Page, server: RemoteServer, options: CheckoutOptions = {}): Promise<Checkout> {
    const checkout = await Checkout.serve(page, server, options);
    await page.goto(checkout.address);
    return checkout;
  }

  static async serve(page: Page, server: RemoteServer, options: CheckoutOptions = {}): Promise<Checkout> {
    const { payment, attributes = '', around = (element: string) => element, script = '', src, ...rest } = options;
    const { reference, embedUrl } =
      src === undefined ? await server.createEmbed(payment) : { reference: '', embedUrl: src };
    const events: Told[] = [];
    await page.exposeBinding('note', (_source, event: Told) => void events.push(event));
    const element = `<pay-form src="${embedUrl}" ${attributes}></pay-form>`;
    const address = await server.servePage(
      `<script nonce="test">${noteEvents}${script}</script>${around(element)}`,
      rest,
    );
    return new Checkout(page, address, reference, events);
  }

  /** One of several elements on the page. */
  formAt(element: Locator): PayForm {
    return new PayForm(element);
  }

  /** Presses a button of the page's own. Scrolled to in the click itself, it may lose it to the frame that was there before. */
  async press(name: string) {
    const button = this.page.getByRole('button', { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await button.click();
  }

  /** The form is there, has told the page what it tells it at first, and can be typed into. */
  async isReady() {
    await expect(this.element.locator('iframe')).toBeVisible();
    await expect(this.form.field('card_number')).toBeEditable();
  }

  /** What the page has heard, but for changes of what is typed. */
  get told(): Told[] {
    return this.events.filter(({ type }) => type !== 'pay-change');
  }

  /** Waits until the page has heard this, changes of what is typed left out, and nothing else. */
  async hears(...told: (readonly [type: Told['type'], detail?: Record<string, unknown>])[]) {
    const { reference } = this;
    const expected = told.map(([type, detail = { reference }]) => ({ type, detail }));
    await expect.poll(() => this.told).toEqual(expected);
  }
}

const noteEvents = `
for (const type of ['ready', 'change', 'submit', 'challenge', 'success', 'pending', 'decline', 'cancel', 'error']) {
  document.addEventListener('pay-' + type, (event) => {
    note({ type: event.type, detail: JSON.parse(JSON.stringify(event.detail)) });
  });
}
`;
