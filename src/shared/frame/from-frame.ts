import { count, listOf, type MessageOf, message, object, oneOf, orNull, text, boolean } from '../shape.ts';

/** A name, code or reference: 64 characters of up to two code units each. */
const word = text(128);
/** One or two sentences, or a URL. */
const line = text(4096);
const names = listOf(word);
/** `reference` is the merchant's `transaction_id`. */
const payment = object({ reference: word });

/**
 * Messages from the frame to the element. Names that begin with `pay-` are events of the element, and the rest of the
 * message is the event's `detail`. No message can contain the buyer's input, only the names of invalid fields.
 */
export const fromFrame = {
  /** The form can be used. */
  'pay-ready': payment,
  /** `brand`: the card brand in lower case (`visa`). `invalid`: names of the fields shown as invalid. */
  'pay-change': object({ complete: boolean, empty: boolean, brand: orNull(word), invalid: names }),
  /** Requests permission to submit the card. The response is `permission`. */
  'pay-submit': object({ trigger: oneOf('buyer', 'page') }),
  /** The issuer requires a 3-D Secure challenge, in the frame or by redirect. */
  'pay-challenge': object({ reference: word, redirect: boolean }),
  'pay-success': payment,
  /** The outcome is not known yet; the buyer must not pay again. */
  'pay-pending': payment,
  /** `code` and `advice` as in the response to a card submission. */
  'pay-decline': object({ reference: word, code: word, advice: word, retryable: boolean, attemptsLeft: count }),
  /**
   * Ended without a payment or a decline: the buyer left the 3-D Secure challenge, the merchant canceled the
   * transaction, or the merchant's page prevented `pay-submit`.
   */
  'pay-cancel': object({ reference: word, reason: oneOf('challenge', 'merchant', 'prevented') }),
  /** `reference` is null while the frame does not know the transaction. */
  'pay-error': object({ code: word, message: line, retryable: boolean, reference: orNull(word) }),
  /** Requests these theme tokens, grouped by the CSS property that resolves them. The response is `configure`. */
  theme: object({ color: names, columnGap: names, fontFamily: names }),
  /** In the form's language: the title of the frame, and the validation message of an incomplete form. */
  labels: object({ title: line, incomplete: line }),
  /**
   * Current height of the frame's content in CSS pixels. The first of these messages means that the content is visible.
   */
  height: object({ height: count }),
  /** Scrolls to the top of the frame, which shows something that the buyer must see. */
  reveal: object({}),
  /** Navigates the page to this URL: the issuer's, or the shop's own. */
  leave: object({ address: line }),
};

export const isFromFrame = /* @__PURE__ */ message(fromFrame);
export type FromFrame = MessageOf<typeof fromFrame>;
