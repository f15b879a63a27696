/*
 * Card numbers turn up where nobody expects them: as a field's name, in a provider's error message.
 * What is shown or logged passes through here first.
 */

/** Twelve to nineteen digits (ISO/IEC 7812-1), with whatever people put between them. */
const cardNumberLike = /\d(?:[\s.\-_/]?\d){11,18}/g;

/** A text with everything that could be a card number taken out. */
export function maskCardNumbers(text: string): string {
  return text.replace(cardNumberLike, '[number]');
}

/** A text without any digits; for what was said while a card was in hand. */
export function maskDigits(text: string): string {
  return text.replace(/\d+/g, '#');
}
