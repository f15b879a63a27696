import { HOUR } from '../../src/shared/time.ts';
import { createBuyers } from './buyer.ts';
import { invoicesOf } from './invoices.ts';
import { makeUser } from './users.ts';
import { createLink } from './requests.ts';
import { signPsbt } from './signing.ts';
import { external } from './withdrawals.ts';
import type { World } from './world.ts';

/**
 * Prepares the state for an operation's examples, in the order of the document: each stage builds on the previous ones.
 * Returns the actual IDs for the example's placeholders.
 */
export const exampleStages: Readonly<Record<string, (world: World) => Promise<Record<string, string>>>> = {
  async submitCard(world) {
    await change(world, '/v1/merchant/preferences', {
      key: 'callback-url',
      value: 'https://shop.example/callbacks',
    });
    return {};
  },

  /** An underpayment. */
  async acceptTransaction(world) {
    await change(world, '/fiat/v1/merchant/payment-methods', {
      payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }],
    });
    const { startPayment, simulate } = createBuyers(() => world);
    const link = await createLink(world, {
      ...{ transaction_id: 'order-1003', payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    return {};
  },

  /** Another underpayment. */
  async rejectTransaction(world) {
    const { startPayment, simulate } = createBuyers(() => world);
    const link = await createLink(world, {
      ...{ transaction_id: 'order-1005', payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    return {};
  },

  /** An expired link. */
  async renewTransaction(world) {
    await createLink(world, { transaction_id: 'order-1004' });
    await world.advance(25 * HOUR);
    return {};
  },

  /** The first scan of the chains. */
  async createInvoice(world) {
    await world.work();
    return {};
  },

  /** An owner and a viewer. */
  async listPeople(world) {
    await makeUser(world, 'owner', { email: 'ada@shop.example', name: 'Ada Lovelace' });
    await makeUser(world, 'viewer', { email: 'grace@shop.example', name: 'Grace Hopper' });
    return {};
  },

  /** An underpayment, and for the rejection an overpayment. */
  async approveCryptoTransaction(world) {
    const { create, pay } = invoicesOf(() => world);
    const invoice = await create({ txId: 'coffee-2' });
    await pay(invoice, 100_000n);
    await world.work();
    return { id: invoice.id };
  },
  async rejectCryptoTransaction(world) {
    const { create, pay } = invoicesOf(() => world);
    const invoice = await create({ txId: 'coffee-3' });
    await pay(invoice, 300_000n);
    await world.work();
    return { id: invoice.id };
  },

  async rotateWallet(world) {
    const { create } = invoicesOf(() => world);
    return { walletAddress: (await create({ txId: 'coffee-4' })).walletAddress };
  },

  /** A paid invoice, ready for a withdrawal. */
  async createWithdrawal(world) {
    const { create, pay, mine } = invoicesOf(() => world);
    const invoice = await create({ txId: 'coffee-5' });
    await pay(invoice);
    await mine(2);
    return { walletAddress: invoice.walletAddress, destination: external.bitcoin };
  },
  async getWithdrawal(world) {
    await world.work();
    return await lastWithdrawal(world);
  },
  async submitWithdrawal(world) {
    const { id } = await lastWithdrawal(world);
    const { body } = await world.request(`/v1/withdrawal?id=${id}`);
    return { id, signed: await signPsbt(body.unsigned.data) };
  },

  /** A manager's withdrawal to a new address. */
  async cancelWithdrawal(world) {
    const { create, pay, mine } = invoicesOf(() => world);
    // New destinations are held from now on, as in production.
    world.service().invoices.context.destinationDelay = 24 * HOUR;
    const invoice = await create({ txId: 'coffee-6' });
    await pay(invoice);
    await mine(2);
    const { body } = await world.request('/v1/withdrawals', {
      body: { code: 'btc', walletAddress: invoice.walletAddress, source: 'credited', destination: external.bitcoin },
      token: world.merchant.managerToken,
    });
    return { id: body.id };
  },

  async getCallback(world) {
    await world.work();
    return await lastCallback(world);
  },
  redeliverCallback: lastCallback,
  revokeAccessToken: lastToken,

  async getAcquirerAccount(world) {
    await world.work();
    return await lastAcquirerAccount(world);
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

async function lastToken(world: World): Promise<Record<string, string>> {
  const token = world.merchant.managerToken;
  const { body } = await world.request('/v1/tokens?per_page=1', { token });
  return { id: body.tokens[0].id };
}

async function lastAcquirerAccount(world: World): Promise<{ id: string }> {
  const { body } = await world.request('/v1/acquirer-accounts', { token: world.merchant.managerToken });
  return { id: body.accounts.at(-1).id };
}

async function lastWithdrawal(world: World): Promise<{ id: string }> {
  const { body } = await world.request('/v1/withdrawals?per_page=1');
  return { id: body.withdrawals[0].id };
}

async function lastCallback(world: World): Promise<Record<string, string>> {
  const { body } = await world.request('/v1/callbacks?transaction_id=order-1001&per_page=1');
  return { id: body.callbacks[0].id as string };
}

async function change(world: World, path: string, body: object) {
  const token = world.merchant.managerToken;
  const { status, text } = await world.request(path, { method: 'PATCH', body, token });
  if (status !== 200) throw new Error(text);
}
