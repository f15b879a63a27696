import { orderMetadata } from '../../src/api/operations/example-transactions.ts';
import { HOUR } from '../../src/shared/time.ts';
import { createBuyers } from './buyer.ts';
import { invoicesOf } from './invoices.ts';
import { makeUser } from './users.ts';
import { createLink, submitCard } from './requests.ts';
import { signPsbt } from './signing.ts';
import { external } from './withdrawals.ts';
import type { Fixture } from './fixture.ts';

/**
 * Prepares the state for an operation's examples, in the order of the document: each stage builds on the previous ones.
 * Returns the actual IDs for the example's placeholders.
 */
export const exampleStages: Readonly<Record<string, (fixture: Fixture) => Promise<Record<string, string>>>> = {
  async submitCard(fixture) {
    await change(fixture, '/v1/merchant/preferences', {
      key: 'callback-url',
      value: 'https://shop.example/callbacks',
    });
    return {};
  },

  /** An underpayment. */
  async acceptTransaction(fixture) {
    await change(fixture, '/fiat/v1/merchant/payment-methods', {
      payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }],
    });
    const { startPayment, simulate } = createBuyers(() => fixture);
    const link = await createLink(fixture, {
      ...{ transaction_id: 'order-1003', payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    return {};
  },

  /** Another underpayment. */
  async rejectTransaction(fixture) {
    const { startPayment, simulate } = createBuyers(() => fixture);
    const link = await createLink(fixture, {
      ...{ transaction_id: 'order-1005', payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    return {};
  },

  captureTransaction: async (fixture) => await authorizedCard(fixture, 'order-1006'),
  voidTransaction: async (fixture) => await authorizedCard(fixture, 'order-1007'),

  /** An expired link. */
  async renewTransaction(fixture) {
    await createLink(fixture, { transaction_id: 'order-1004' });
    await fixture.advance(25 * HOUR);
    return {};
  },

  getReusableLink: lastReusableLink,
  updateReusableLink: lastReusableLink,
  archiveReusableLink: lastReusableLink,

  /** The first scan of the chains. */
  async createInvoice(fixture) {
    await fixture.work();
    return {};
  },

  /** An owner and a viewer. */
  async listPeople(fixture) {
    await makeUser(fixture, 'owner', { email: 'ada@shop.example', name: 'Ada Lovelace' });
    await makeUser(fixture, 'viewer', { email: 'grace@shop.example', name: 'Grace Hopper' });
    return {};
  },

  /** An underpayment, and for the rejection an overpayment. */
  async approveCryptoTransaction(fixture) {
    const { create, pay } = invoicesOf(() => fixture);
    const invoice = await create({ txId: 'coffee-2' });
    await pay(invoice, 100_000n);
    await fixture.work();
    return { id: invoice.id };
  },
  async rejectCryptoTransaction(fixture) {
    const { create, pay } = invoicesOf(() => fixture);
    const invoice = await create({ txId: 'coffee-3' });
    await pay(invoice, 300_000n);
    await fixture.work();
    return { id: invoice.id };
  },

  /** The confirmations of both. */
  async listBalances(fixture) {
    await invoicesOf(() => fixture).mine(2);
    return {};
  },

  async rotateWallet(fixture) {
    const { create } = invoicesOf(() => fixture);
    return { walletAddress: (await create({ txId: 'coffee-4' })).walletAddress };
  },

  /** A paid invoice, ready for a withdrawal. */
  async createWithdrawal(fixture) {
    const { create, pay, mine } = invoicesOf(() => fixture);
    const invoice = await create({ txId: 'coffee-5' });
    await pay(invoice);
    await mine(2);
    return { walletAddress: invoice.walletAddress, destination: external.bitcoin };
  },
  async getWithdrawal(fixture) {
    await fixture.work();
    return await lastWithdrawal(fixture);
  },
  async submitWithdrawal(fixture) {
    const { id } = await lastWithdrawal(fixture);
    const { body } = await fixture.request(`/v1/withdrawal?id=${id}`);
    return { id, signed: await signPsbt(body.unsigned.data) };
  },

  /** A manager's withdrawal to a new address. */
  async cancelWithdrawal(fixture) {
    const { create, pay, mine } = invoicesOf(() => fixture);
    // New destinations are held from now on, as in production.
    fixture.service().invoices.context.destinationDelay = 24 * HOUR;
    const invoice = await create({ txId: 'coffee-6' });
    await pay(invoice);
    await mine(2);
    const { body } = await fixture.request('/v1/withdrawals', {
      body: { code: 'btc', walletAddress: invoice.walletAddress, source: 'credited', destination: external.bitcoin },
      token: fixture.merchant.managerToken,
    });
    return { id: body.id };
  },

  async getCallback(fixture) {
    await fixture.work();
    return await lastCallback(fixture);
  },
  redeliverCallback: lastCallback,
  getWebhookEndpoint: lastEndpoint,
  updateWebhookEndpoint: lastEndpoint,
  rotateWebhookEndpointSecret: lastEndpoint,
  testWebhookEndpoint: lastEndpoint,
  redeliverFailedCallbacks: lastEndpoint,
  removeWebhookEndpoint: lastEndpoint,
  revokeAccessToken: lastToken,

  async getAcquirerAccount(fixture) {
    await fixture.work();
    return await lastAcquirerAccount(fixture);
  },
  updateAcquirerAccount: lastAcquirerAccount,
  setAcquirerCredentials: lastAcquirerAccount,
  checkAcquirerAccount: lastAcquirerAccount,
};

/** Replaces the example's placeholders with actual IDs. */
export function replaceNames<Sent>(sent: Sent, names: Record<string, string>): Sent {
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, names[name] ?? value])) as Sent;
}

async function lastToken(fixture: Fixture): Promise<Record<string, string>> {
  const token = fixture.merchant.managerToken;
  const { body } = await fixture.request('/v1/tokens?per_page=1', { token });
  return { id: body.tokens[0].id };
}

async function lastReusableLink(fixture: Fixture): Promise<{ id: string }> {
  const { body } = await fixture.request('/fiat/v1/reusable-links?per_page=1');
  return { id: body.reusable_links[0].id };
}

async function lastEndpoint(fixture: Fixture): Promise<{ id: string }> {
  const { body } = await fixture.request('/v1/webhook-endpoints');
  return { id: body.endpoints.at(-1).id };
}

async function lastAcquirerAccount(fixture: Fixture): Promise<{ id: string }> {
  const { body } = await fixture.request('/v1/acquirer-accounts', { token: fixture.merchant.managerToken });
  return { id: body.accounts.at(-1).id };
}

async function lastWithdrawal(fixture: Fixture): Promise<{ id: string }> {
  const { body } = await fixture.request('/v1/withdrawals?per_page=1');
  return { id: body.withdrawals[0].id };
}

async function lastCallback(fixture: Fixture): Promise<Record<string, string>> {
  const { body } = await fixture.request('/v1/callbacks?transaction_id=order-1001&per_page=1');
  return { id: body.callbacks[0].id as string };
}

async function change(fixture: Fixture, path: string, body: object) {
  const token = fixture.merchant.managerToken;
  const { status, text } = await fixture.request(path, { method: 'PATCH', body, token });
  if (status !== 200) throw new Error(text);
}

async function authorizedCard(fixture: Fixture, transactionId: string): Promise<Record<string, string>> {
  const link = await createLink(fixture, { transaction_id: transactionId, capture: 'manual', metadata: orderMetadata });
  await submitCard(fixture, link.reference);
  return {};
}
