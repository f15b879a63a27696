/** A curl command that creates a payment; its response contains the payment link. */
export function firstRequest(origin: string): string {
  const body = {
    transaction_id: 'order-1',
    ...{ payment_method: 'credit_card', amount: 12.5, currency: 'USD', country: 'USA', description: 'Two cups' },
    ...{ success_redirect_url: 'https://shop.example/paid', fail_redirect_url: 'https://shop.example/failed' },
    type_of_calculation: 'forward_without_fee',
  };
  return [
    `curl ${origin}/fiat/v1/transaction \\`,
    `  -H "Authorization: Bearer $ACCESS_TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join('\n');
}
