/** The shop's product, sold in quantities of one to three. */
export const product = {
  name: 'Blue kettle',
  text: 'Enameled steel, 1.2 liters, a handle that stays cool. Boils for four cups and looks good on any stove.',
  priceCents: 2490,
  currency: 'USD',
  quantities: [1, 2, 3],
} as const;

export function formatPrice(quantity: number): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: product.currency });
  return format.format((product.priceCents * quantity) / 100);
}
