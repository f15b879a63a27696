import { HOUR } from '../../src/contract/time.ts';
import { buyersOf } from './buyer.ts';
import { createLink } from './requests.ts';
import type { World } from './world.ts';

/**
 * What must have happened before the examples of an operation, in the order of the document: each leaves
 * what it makes to those after it. Answers what the service calls what an example can only name by way of example.
 */
export const stages: Readonly<Record<string, (world: World) => Promise<Record<string, string>>>> = {
  async submitCard(world) {
    await change(world, '/v1/merchant/preferences', {
      key: 'callback-url',
      value: 'https://shop.example/callbacks',
    });
    return {};
  },

  /** A buyer sends less than was asked for. */
  async acceptTransaction(world) {
    await change(world, '/fiat/v1/merchant/payment-methods', {
      payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }],
    });
    const { begin, simulate } = buyersOf(() => world);
    const link = await createLink(world, {
      ...{ transaction_id: 'order-1003', payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB' },
    });
    await simulate(await begin(link, 'qr_code'), 'less');
    return {};
  },

  /** A link that nobody has used in its time. */
  async renewTransaction(world) {
    await createLink(world, { transaction_id: 'order-1004' });
    await world.advance(25 * HOUR);
    return {};
  },

  async getCallback(world) {
    await world.work();
    return await lastCallback(world);
  },
  redeliverCallback: lastCallback,
};

async function lastCallback(world: World): Promise<Record<string, string>> {
  const { body } = await world.request('/v1/callbacks?transaction_id=order-1001&per_page=1');
  return { id: body.callbacks[0].id as string };
}

async function change(world: World, path: string, body: object) {
  const token = world.merchant.managerToken;
  const { status, text } = await world.request(path, { method: 'PATCH', body, token });
  if (status !== 200) throw new Error(text);
}
