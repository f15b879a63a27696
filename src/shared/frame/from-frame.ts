import { count, listOf, type MessageOf, message, object, oneOf, orNull, text, truth } from '../shape.ts';

/** A name, a code, a reference: 64 characters, each of which may take two code units. */
const word = text(128);
/** A sentence or two, or an address. */
const line = text(4096);
const words = listOf(word);
/** `reference` is the merchant's `transaction_id`. */
const payment = object({ reference: word });

/**
 * What the frame tells the element. The names that begin with `pay-` are the element's events, and
 * the rest of the message is the event's `detail`. Nothing here can hold what the buyer types: no
 * digits, no names; only which fields are wrong.
 */
export const fromFrame = {
  /** The form can be used. */
  'pay-ready': payment,
  /** `brand` as the card schemes are called in lower case (`visa`), `invalid` the names of fields shown as wrong. */
  'pay-change': object({ complete: truth, empty: truth, brand: orNull(word), invalid: words }),
  /** Asks whether the card may be sent; answered by `verdict`. */
  'pay-submit': object({ trigger: oneOf('buyer', 'page') }),
  /** The bank wants a confirmation (3-D Secure), in the frame or by leaving the page. */
  'pay-challenge': object({ reference: word, redirect: truth }),
  'pay-success': payment,
  /** The outcome is not known yet; the buyer must not pay again. */
  'pay-pending': payment,
  /** `code` and `advice` as in the answer of a card submission. */
  'pay-decline': object({ reference: word, code: word, advice: word, retryable: truth, attemptsLeft: count }),
  /**
   * Nothing was paid although nobody refused it: the buyer left the bank's confirmation, the merchant
   * cancelled the transaction, or the merchant's page prevented `pay-submit`.
   */
  'pay-cancel': object({ reference: word, reason: oneOf('challenge', 'merchant', 'prevented') }),
  /** `reference` is null while the frame does not know the transaction. */
  'pay-error': object({ code: word, message: line, retryable: truth, reference: orNull(word) }),
  /** Asks for these theme tokens, by the CSS property that resolves them; they come with `configure`. */
  theme: object({ color: words, columnGap: words, fontFamily: words }),
  /** In the form's language: what the frame is called, and what a form says that is not complete. */
  words: object({ label: line, incomplete: line }),
  /** The frame's content is this many CSS pixels high now; the first of these says that there is something to see. */
  height: object({ height: count }),
  /** What the buyer must see now begins at the top of the frame. */
  reveal: object({}),
  /** The page is to go to this address: the bank's, or the shop's own. */
  leave: object({ address: line }),
};

export const isFromFrame = /* @__PURE__ */ message(fromFrame);
export type FromFrame = MessageOf<typeof fromFrame>;
