/** Asks the shop's server to create a payment for the form. */
export async function createPayment() {
  const answer = await fetch('/payments', { method: 'POST' });
  if (!answer.ok) throw new Error('The payment could not be created');
  return await answer.json();
}

/** Asks the shop's server, which asks the payment service. Browser events are hints and prove nothing. */
export async function isPaid(reference) {
  const answer = await fetch(`/payments/${reference}`);
  return answer.ok && (await answer.json()).isPaid;
}
