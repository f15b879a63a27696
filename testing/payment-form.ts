import type { FrameLocator, Locator, Page } from '@playwright/test';
import { type CardFieldName, type CardValues, cardFieldNames } from '../src/shared/card-form.ts';
import { type Outcome, outcomeTitles } from './outcomes.ts';
import { matchAny, texts } from './texts.ts';

/** Matches the headings that identify an outcome. */
const headings = Object.fromEntries(
  Object.entries(outcomeTitles(texts)).map(([outcome, titles]) => [outcome, matchAny(...titles)]),
) as Record<Outcome, RegExp>;

/** Labels of each field: those of an address depend on its country. */
const labels = Object.fromEntries(
  cardFieldNames.map((name) => {
    const keys = Object.keys(texts.fields) as (keyof typeof texts.fields)[];
    const own = keys.filter(
      (key) => key === name || key.startsWith(`${name}_`) || (key === 'zip' && name === 'postcode'),
    );
    return [name, own.map((key) => texts.fields[key])];
  }),
) as Record<CardFieldName, string[]>;

/** Actions and texts of the payment form, shared by all pages that contain it. */
export abstract class PaymentForm {
  /** The button that pays, or starts a method. */
  readonly payButton: Locator;

  readonly #root: Page | FrameLocator;
  readonly #busyButton: Locator;

  protected constructor(root: Page | FrameLocator, payButton?: Locator) {
    this.#root = root;
    this.payButton = payButton ?? root.getByRole('button', { name: matchAny(texts.pay.button, texts.pay.continue) });
    this.#busyButton = root.getByRole('button', { name: matchAny(texts.pay.busy, texts.pay.redirecting) });
  }

  /** A field by its name in a card submission; `card_expiry` is month and year. */
  field(name: CardFieldName): Locator {
    return this.#root.getByLabel(matchAny(...labels[name]));
  }

  /** Opens a payment method by its full name. */
  async choose(method: string) {
    const others = this.#root.getByRole('button', { name: matchAny(texts.instructions.other_method) });
    if ((await others.count()) > 0) await others.click();
    const name = this.#root.getByText(method, { exact: true });
    await this.#root.locator('label').filter({ has: name }).getByRole('radio').check();
  }

  /** Fills in the given fields; skips fields that the form does not show. */
  async fill(card: Partial<CardValues>) {
    await this.field('card_number').waitFor();
    for (const name of cardFieldNames) {
      const field = this.field(name);
      const value = card[name];
      if (value === undefined || !(await field.isVisible())) continue;
      if (name === 'country') await field.selectOption(value);
      else await field.fill(value);
    }
  }

  /** Clicks the pay button. Does not wait for the outcome. */
  async pay() {
    // If the click itself scrolled, it could miss the page's own button and hit the frame.
    await this.payButton.scrollIntoViewIfNeeded();
    await this.payButton.click();
  }

  async fillAndPay(scenario: CardValues) {
    await this.fill(scenario);
    await this.pay();
  }

  /** Messages of invalid fields, by field name. */
  async fieldErrors(): Promise<Partial<Record<CardFieldName, string>>> {
    await this.waitUntilIdle();
    const fieldErrors: Partial<Record<CardFieldName, string>> = {};
    for (const name of cardFieldNames) {
      const field = this.field(name);
      const fieldError = (await field.count()) === 0 ? null : await field.evaluate(readError);
      if (fieldError !== null) fieldErrors[name] = fieldError;
    }
    return fieldErrors;
  }

  /**
   * Waits for the outcome and returns it. If the page redirects to the shop automatically, wait for the shop's page
   * instead.
   */
  async outcome(): Promise<Outcome> {
    await this.waitUntilIdle();
    const possibleOutcomes = this.headingOutcomes();
    const anyHeading = new RegExp(possibleOutcomes.map((outcome) => headings[outcome].source).join('|'));
    const heading = this.#root.getByRole('heading', { name: anyHeading }).first();
    const text = (await heading.innerText()).trim();
    const outcome = possibleOutcomes.find((each) => headings[each].test(text));
    if (!outcome) throw new Error(`The heading “${text}” matches no outcome`);
    return outcome;
  }

  /** Waits until no payment is in progress. Before that, the page shows the previous outcome. */
  protected async waitUntilIdle() {
    await this.#busyButton.waitFor({ state: 'hidden' });
  }

  /** Outcomes that a heading on this page can show. */
  protected headingOutcomes(): Outcome[] {
    return Object.keys(headings) as Outcome[];
  }
}

function readError(field: Element): string | null {
  if (field.getAttribute('aria-invalid') !== 'true') return null;
  const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  return description?.textContent.trim() ?? '';
}
