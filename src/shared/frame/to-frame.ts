import {
  anyObject,
  anything,
  type MessageOf,
  message,
  object,
  oneOf,
  type Shape,
  type ShapeOf,
  some,
  text,
  truth,
} from '../shape.ts';
import { type ThemeToken, themeTokens } from './theme.ts';

/** What the merchant's page can know about the payer already. */
const billingFields = {
  first_name: text(100),
  last_name: text(100),
  /** ISO 3166-1 alpha-2. */
  country: text(2),
  address: text(255),
  city: text(100),
  state: text(100),
  postcode: text(20),
  phone: text(32),
  email: text(254),
};

/** Fields that are filled in and not asked for. */
export type BillingDetails = { [Name in keyof typeof billingFields]?: string };

/** What of `given` can be used, and the names of what cannot: no text, too long, or no such field. */
export function readBilling(given: unknown): { details: BillingDetails; refused: string[] } {
  const details: BillingDetails = {};
  const refused: string[] = [];
  if (!anyObject(given)) return { details, refused: [String(given)] };
  for (const [name, value] of Object.entries(given)) {
    const isField = Object.hasOwn(billingFields, name);
    if (isField && billingFields[name as keyof BillingDetails](value)) details[name as keyof BillingDetails] = value;
    else refused.push(name);
  }
  return { details, refused };
}

/** What the page may write at any length: one value that cannot be used must not cost it all the others. */
const line = text(4096);

const tokenValues = some(
  Object.fromEntries(
    Object.values(themeTokens)
      .flat()
      .map((name) => [name, line]),
  ) as Record<ThemeToken, Shape<string>>,
);
export type ThemeTokens = ShapeOf<typeof tokenValues>;

/** What the element tells the frame. */
export const toFrame = {
  configure: object({
    /** BCP 47; nothing leaves the choice to the buyer's browser. */
    locale: line,
    /** The element's `dir`: without one the language decides. */
    direction: line,
    /** The scheme that the merchant's page is drawn in. */
    scheme: oneOf('light', 'dark'),
    /** Theme tokens by name, resolved: colours as CSS colours, lengths in px. */
    tokens: tokenValues,
    disabled: truth,
    /** Where the bank's confirmation is shown: `top` leaves the merchant's page, all else stays in the frame. */
    redirect: line,
    /** Whether the frame has a button of its own. */
    button: truth,
    /** Read by {@link readBilling}. */
    billing: anything,
  }),
  /** Answers `pay-submit`. */
  verdict: object({ go: truth }),
  submit: object({}),
  /** Shows what is missing or wrong, and goes to the first of it. */
  report: object({}),
  focus: object({}),
  reset: object({}),
};

export const isToFrame = /* @__PURE__ */ message(toFrame);
export type ToFrame = MessageOf<typeof toFrame>;
export type FrameConfiguration = ShapeOf<typeof toFrame.configure>;
