/** The Luhn check digit of a card number without one. */
export function checkDigitOf(digits: string): string {
  const doubled = [...digits].toReversed().map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1));
  const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return String((10 - (sum % 10)) % 10);
}
