// A shop with Braintree Drop-in: creates client tokens, charges nonces, refunds, and reads webhooks.
// `gateway` is a BraintreeGateway from the `braintree` package.

/** The page passes the token to `braintree.dropin.create`. */
export async function startPayment(gateway) {
  const { clientToken } = await gateway.clientToken.generate({});
  return clientToken;
}

/** The page posts the nonce from `requestPaymentMethod` here. */
export async function charge(gateway, { id, amount }, nonce) {
  const { success, message, transaction } = await gateway.transaction.sale({
    amount: amount.toFixed(2),
    orderId: id,
    paymentMethodNonce: nonce,
    options: { submitForSettlement: true },
  });
  if (!success) return { state: 'failed', reason: message };
  return { state: 'paid', braintreeId: transaction.id };
}

export async function refund(gateway, braintreeId, amount) {
  const { success, message } = await gateway.transaction.refund(braintreeId, amount.toFixed(2));
  if (!success) throw new Error(message);
}

/** Braintree posts a form with `bt_signature` and `bt_payload`. */
export async function readNotification(gateway, { bt_signature: signature, bt_payload: payload }) {
  const { kind, dispute } = await gateway.webhookNotification.parse(signature, payload);
  return kind === 'dispute_opened' ? { orderId: dispute.transaction.orderId, state: 'disputed' } : null;
}
