/** Asks the shop's server to create a payment for the form. */
export async function createPayment(): Promise<{ embedUrl: string }> {
  const response = await fetch('/payments', { method: 'POST' });
  if (!response.ok) throw new Error('The payment could not be created');
  return await response.json();
}

/** Asks the shop's server, which asks the payment service. Browser events are only hints, not proof of payment. */
export async function isPaid(reference: string): Promise<boolean> {
  const response = await fetch(`/payments/${reference}`);
  return response.ok && (await response.json()).isPaid;
}
