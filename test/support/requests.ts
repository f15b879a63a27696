import type { Fixture } from './fixture.ts';

/** Test cards. The number selects the sandbox's outcome. */
export const cards = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  challenge: '4000000000003220',
  frictionless: '4000000000003063',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  unknown: '4000000000000119',
  refundFails: '4000000000005126',
  disputed: '4000000000000259',
  captureFails: '4000000000004335',
} as const;

let counter = 0;

/** A creation request, as in the specification. */
export function creation(fields: Record<string, unknown> = {}) {
  counter += 1;
  return {
    transaction_id: `order-${process.pid}-${counter}`,
    payment_method: 'credit_card',
    amount: 12.5,
    country: 'USA',
    currency: 'USD',
    description: 'Two cups and a saucer',
    success_redirect_url: 'https://shop.example/paid',
    fail_redirect_url: 'https://shop.example/failed',
    type_of_calculation: 'forward_without_fee',
    ...fields,
  };
}

/** A card submission, as in the specification. */
export function submission(
  transactionId: string,
  cardNumber: string = cards.visa,
  fields: Record<string, unknown> = {},
) {
  return {
    transaction_id: transactionId,
    card_number: cardNumber,
    card_expiry_month: '04',
    card_expiry_year: '2040',
    card_cvv: cardNumber === cards.amex ? '1234' : '123',
    first_name: 'Ada',
    last_name: 'Lovelace',
    country: 'GB',
    state: 'London',
    city: 'London',
    postcode: 'W1J 7NT',
    address: '12 St James’s Square',
    phone: '+44 20 7946 0000',
    email: 'ada@example.com',
    ...fields,
  };
}

/** Creates a transaction. Returns its reference, link and page token. */
export async function createLink(
  fixture: Fixture,
  fields: Record<string, unknown> = {},
  token = fixture.merchant.token,
) {
  const body = creation(fields);
  const created = await fixture.request('/fiat/v1/transaction', { body, token });
  if (created.status !== 200) throw new Error(`Creation failed with ${created.status}: ${created.text}`);
  const path = new URL(created.body.value.link).pathname;
  const state = await fixture.request(`${path}/state`, { token: null });
  return {
    reference: body.transaction_id,
    path,
    link: created.body.value.link as string,
    clientToken: state.body.clientToken as string,
  };
}

export async function submitCard(fixture: Fixture, reference: string, cardNumber: string = cards.visa, token?: string) {
  return await fixture.request('/fiat/v1/transaction/submit', {
    body: submission(reference, cardNumber),
    ...(token !== undefined && { token }),
  });
}

/** A detail as webhooks contain it: without names and emails of payers. */
export function withoutPayers<Detail extends { attempts: readonly object[] }>({ attempts, ...detail }: Detail) {
  return {
    ...detail,
    attempts: attempts.map(({ payer: _payer, ...attempt }: { payer?: unknown }) => attempt),
  };
}

export async function detailOf(fixture: Fixture, reference: string) {
  const response = await fixture.request(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(reference)}`);
  return response.body;
}
