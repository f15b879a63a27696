import {
  anyObject,
  anything,
  type MessageOf,
  message,
  object,
  oneOf,
  type Shape,
  type ShapeOf,
  partial,
  text,
  boolean,
} from '../shape.ts';
import { type ThemeToken, themeTokens } from './theme.ts';

/** Buyer details that the merchant's page may already have. */
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

/** Values of prefilled fields, which the form does not show. */
export type BillingDetails = { [Name in keyof typeof billingFields]?: string };

/** Returns the usable fields of `input`, and the names of the rejected ones: not text, too long, or unknown. */
export function readBilling(input: unknown): { details: BillingDetails; refused: string[] } {
  const details: BillingDetails = {};
  const refused: string[] = [];
  if (!anyObject(input)) return { details, refused: [String(input)] };
  for (const [name, value] of Object.entries(input)) {
    const isField = Object.hasOwn(billingFields, name);
    if (isField && billingFields[name as keyof BillingDetails](value)) details[name as keyof BillingDetails] = value;
    else refused.push(name);
  }
  return { details, refused };
}

/**
 * Text of the merchant's page. The limit is generous, so that one unusable value does not invalidate the whole message.
 */
const line = text(4096);

const tokenValues = partial(
  Object.fromEntries(
    Object.values(themeTokens)
      .flat()
      .map((name) => [name, line]),
  ) as Record<ThemeToken, Shape<string>>,
);
export type ThemeTokens = ShapeOf<typeof tokenValues>;

/** Messages from the element to the frame. */
export const toFrame = {
  configure: object({
    /** BCP 47; if empty, the buyer's browser determines the language. */
    locale: line,
    /** The element's `dir`; if empty, the language determines the direction. */
    direction: line,
    /** The color scheme of the merchant's page. */
    scheme: oneOf('light', 'dark'),
    /** Theme tokens by name, resolved: colors as CSS colors, lengths in px. */
    tokens: tokenValues,
    disabled: boolean,
    /** Location of the 3-D Secure challenge: `top` leaves the merchant's page, any other value stays in the frame. */
    redirect: line,
    /** True if the frame shows its own button. */
    button: boolean,
    /** Read by {@link readBilling}. */
    billing: anything,
  }),
  /** Response to `pay-submit`. */
  permission: object({ granted: boolean }),
  submit: object({}),
  /** Shows missing and invalid fields, and focuses the first. */
  report: object({}),
  focus: object({}),
  reset: object({}),
};

export const isToFrame = /* @__PURE__ */ message(toFrame);
export type ToFrame = MessageOf<typeof toFrame>;
export type FrameConfiguration = ShapeOf<typeof toFrame.configure>;
