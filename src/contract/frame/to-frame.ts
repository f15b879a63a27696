import { type MessageOf, message, object, oneOf, type Shape, type ShapeOf, some, text, truth } from '../shape.ts';
import { type ThemeToken, themeTokens } from './theme.ts';

/** What the merchant's page knows about the payer already: these fields are filled in and not asked for. */
export const billingDetails = some({
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
});
export type BillingDetails = ShapeOf<typeof billingDetails>;

const tokenValues = some(
  Object.fromEntries(
    Object.values(themeTokens)
      .flat()
      .map((name) => [name, text(300)]),
  ) as Record<ThemeToken, Shape<string>>,
);
export type ThemeTokens = ShapeOf<typeof tokenValues>;

/** What the element tells the frame. */
export const toFrame = {
  configure: object({
    /** BCP 47; nothing leaves the choice to the buyer's browser. */
    locale: text(64),
    /** The element's `dir`: without one the language decides. */
    direction: text(16),
    /** The scheme that the merchant's page is drawn in. */
    scheme: oneOf('light', 'dark'),
    /** Theme tokens by name, resolved: colours as CSS colours, lengths in px. */
    tokens: tokenValues,
    disabled: truth,
    /** Where the bank's confirmation is shown: `top` leaves the merchant's page, all else stays in the frame. */
    redirect: text(16),
    /** Whether the frame has a button of its own. */
    button: truth,
    billing: billingDetails,
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
