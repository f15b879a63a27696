import type { FrameLocator, Locator, Page } from '@playwright/test';
import { PayForm } from '../../testing/index.ts';
import type { PayFormEventMap } from '../../widget/events.ts';
import type { RemoteServer } from '../support/server-process.ts';
import { expect } from './fixtures.ts';

/** Fields of the short card form, in display order. */
export const shortForm = [
  ...(['card_number', 'card_expiry', 'card_cvv', 'first_name', 'last_name', 'country', 'postcode', 'email'] as const),
];

/** An event of the element on the merchant's page, without functions. */
export interface RecordedEvent {
  type: keyof PayFormEventMap;
  detail: Record<string, unknown>;
}

export interface CheckoutOptions {
  /** Transaction fields. */
  payment?: Record<string, unknown>;
  /** Used instead of a new transaction's embed URL. */
  src?: string;
  /** Attributes of the element, as markup. */
  attributes?: string;
  /** Wraps the element in the page's markup. */
  around?: (element: string) => string;
  /** A script of the merchant that runs before the element's script. */
  script?: string;
  head?: string;
  policy?: string;
}

/** A merchant's checkout page on its own site, which records all events of its `<pay-form>`. */
export class Checkout {
  readonly page: Page;
  readonly address: string;
  readonly reference: string;
  readonly element: Locator;
  readonly frame: FrameLocator;
  readonly form: PayForm;
  /** In order, across page loads. */
  readonly events: readonly RecordedEvent[];

  private constructor(page: Page, address: string, reference: string, events: readonly RecordedEvent[]) {
    this.page = page;
    this.address = address;
    this.reference = reference;
    this.events = events;
    this.element = page.locator('pay-form');
    this.frame = this.element.locator('iframe').contentFrame();
    this.form = new PayForm(this.element);
  }

  /** Serves the page and opens it. */
  static async open(page: Page, server: RemoteServer, options: CheckoutOptions = {}): Promise<Checkout> {
    const checkout = await Checkout.serve(page, server, options);
    await page.goto(checkout.address);
    return checkout;
  }

  static async serve(page: Page, server: RemoteServer, options: CheckoutOptions = {}): Promise<Checkout> {
    const { payment, attributes = '', around = (element: string) => element, script = '', src, ...rest } = options;
    const { reference, embedUrl } =
      src === undefined ? await server.createEmbed(payment) : { reference: '', embedUrl: src };
    const events: RecordedEvent[] = [];
    await page.exposeBinding('recordEvent', (_source, event: RecordedEvent) => void events.push(event));
    const element = `<pay-form src="${embedUrl}" ${attributes}></pay-form>`;
    const address = await server.servePage(
      `<script nonce="test">${recordEvents}${script}</script>${around(element)}`,
      rest,
    );
    return new Checkout(page, address, reference, events);
  }

  /** One of several forms on the page. */
  formAt(element: Locator): PayForm {
    return new PayForm(element);
  }

  /** Clicks the page's own button. If the click itself scrolled, it could hit the frame instead. */
  async press(name: string) {
    const button = this.page.getByRole('button', { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await button.click();
  }

  /** Waits until the form is ready and its first events have arrived. */
  async waitUntilReady() {
    await expect(this.element.locator('iframe')).toBeVisible();
    await expect(this.form.field('card_number')).toBeEditable();
  }

  /** Events without changes of the form. */
  get eventsWithoutChanges(): RecordedEvent[] {
    return this.events.filter(({ type }) => type !== 'pay-change');
  }

  /** Waits until exactly these events have arrived, ignoring changes of the form. */
  async expectEvents(...events: (readonly [type: RecordedEvent['type'], detail?: Record<string, unknown>])[]) {
    const { reference } = this;
    const expected = events.map(([type, detail = { reference }]) => ({ type, detail }));
    await expect.poll(() => this.eventsWithoutChanges).toEqual(expected);
  }
}

const recordEvents = `
for (const type of ['ready', 'change', 'submit', 'challenge', 'success', 'pending', 'decline', 'cancel', 'error']) {
  document.addEventListener('pay-' + type, (event) => {
    recordEvent({ type: event.type, detail: JSON.parse(JSON.stringify(event.detail)) });
  });
}
`;
