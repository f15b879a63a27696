import { startAdyen } from './adyen/index.ts';
import type { SimulatorResponse } from './faults.ts';
import { startHyperswitch } from './hyperswitch/index.ts';
import { callSimulator } from './raw-client.ts';
import type { SimulatorOptions } from './simulator-server.ts';
import { startXendit } from './xendit/index.ts';

/** The time of the vendor servers in their own tests. */
export const now = () => Date.parse('2026-11-21T09:00:00Z');

const returnUrl = 'https://pay.example/return?attempt=1';

/** A call with a deadline, for responses that never arrive. */
type Send = (change?: object, signal?: AbortSignal) => Promise<Required<SimulatorResponse>>;

/** Adyen with a client that charges a card. */
export async function openAdyen(options: Partial<SimulatorOptions> = {}) {
  const vendor = await startAdyen({ now, ...options });
  const { apiKey, merchantAccount } = vendor.credentials;
  const post = async (path: string, body: object, key: string, signal?: AbortSignal) =>
    await callSimulator(`${vendor.url}${path}`, 'POST', {
      headers: { 'x-api-key': apiKey, ...(key !== '' && { 'idempotency-key': key }) },
      body: { merchantAccount, ...body },
      ...(signal && { signal }),
    });
  const payment = (reference: string, change: object = {}) => ({
    ...{ reference, returnUrl, amount: { value: 1000, currency: 'EUR' } },
    paymentMethod: {
      ...{ type: 'scheme', number: '4111111111111111', cvc: '737', holderName: 'Ana Lee' },
      ...{ expiryMonth: '03', expiryYear: '2030' },
    },
    ...change,
  });
  const charge: Send = async (change = {}, signal) =>
    await post('/payments', payment('attempt-1', change), 'attempt-1', signal);
  return { vendor, post, payment, charge, reference: 'attempt-1' };
}

/** Hyperswitch with a client that charges a card. */
export async function openHyperswitch(options: Partial<Parameters<typeof startHyperswitch>[0]> = {}) {
  const vendor = await startHyperswitch({ now, ...options });
  const headers = { 'api-key': vendor.credentials.apiKey };
  const id = (prefix: string, number = 1) => `${prefix}_${String(number).padStart(26, '0')}`.slice(0, 30);
  const post = async (path: string, body: object, signal?: AbortSignal) =>
    await callSimulator(`${vendor.url}${path}`, 'POST', { headers, body, ...(signal && { signal }) });
  const get = async (path: string) => await callSimulator(`${vendor.url}${path}`, 'GET', { headers });
  const payment = (payment_id: string, change: object = {}) => ({
    ...{ payment_id, amount: 1000, currency: 'EUR', confirm: true, return_url: returnUrl },
    ...{ capture_method: 'automatic', authentication_type: 'three_ds', payment_method: 'card' },
    payment_method_data: {
      card: {
        ...{ card_number: '4242424242424242', card_exp_month: '03', card_exp_year: '2030' },
        ...{ card_holder_name: 'Ana Lee', card_cvc: '123' },
      },
    },
    ...change,
  });
  const charge: Send = async (change = {}, signal) => await post('/payments', payment(id('pay'), change), signal);
  return { vendor, post, get, payment, charge, id, reference: id('pay') };
}

/** Xendit with a client that charges a card. */
export async function openXendit(options: Partial<Parameters<typeof startXendit>[0]> = {}) {
  const vendor = await startXendit({ now, ...options });
  const authorization = `Basic ${Buffer.from(`${vendor.credentials.secretKey}:`).toString('base64')}`;
  const headers = { authorization, 'api-version': '2024-11-11' };
  const post = async (path: string, body?: object, more: Record<string, string> = {}, signal?: AbortSignal) =>
    await callSimulator(`${vendor.url}${path}`, 'POST', {
      headers: { ...headers, ...more },
      ...(body && { body }),
      ...(signal && { signal }),
    });
  const get = async (path: string) => await callSimulator(`${vendor.url}${path}`, 'GET', { headers });
  const payment = (reference_id: string, change: object = {}) => ({
    ...{ reference_id, type: 'PAY', country: 'TH', currency: 'THB', request_amount: 150.5, channel_code: 'CARDS' },
    channel_properties: {
      card_details: { card_number: '4000000000000101', cvn: '123', expiry_month: '12', expiry_year: '2030' },
      ...{ success_return_url: returnUrl, failure_return_url: `${returnUrl}&failed=1`, skip_three_ds: false },
    },
    ...change,
  });
  const charge: Send = async (change = {}, signal) =>
    await post('/v3/payment_requests', payment('attempt-1', change), {}, signal);
  return { vendor, post, get, payment, charge, reference: 'attempt-1' };
}
