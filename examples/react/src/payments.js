/** Asks the shop's server for a payment to show the form of. */
export async function createPayment() {
  const answer = await fetch('/payments', { method: 'POST' });
  if (!answer.ok) throw new Error('The payment could not be prepared');
  return await answer.json();
}

/** Asks the shop's server, which asks the payment service: an event in a browser is a hint and no proof. */
export async function isPaid(reference) {
  const answer = await fetch(`/payments/${reference}`);
  return answer.ok && (await answer.json()).isPaid;
}
