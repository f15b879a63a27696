/** Names of card brands, which are not translated. */
const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
  'diners-club': 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

/** The name of a card brand; empty for null. */
export function brandName(brand: string | null): string {
  return brand === null ? '' : (brandNames[brand] ?? brand);
}
