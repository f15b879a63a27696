import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, createLink, creation, submission, submitCard } from '../support/requests.ts';
import { signedIn } from '../support/people.ts';
import { dumpRows } from '../support/rows.ts';
import { outside, withdrawalsOf } from '../support/withdrawals.ts';
import { type Answer, openWorld, type TestMerchant, type World } from '../support/world.ts';

interface Sent {
  query?: Record<string, string>;
  body?: unknown;
}

/** How the operations that name something are called for what belongs to another merchant; `never` stands for what belongs to nobody. */
const naming: Record<string, (reference: string) => Sent> = {
  getTransaction: (reference) => ({ query: { transaction_id: reference } }),
  listTransactionEvents: (reference) => ({ query: { transaction_id: reference } }),
  getCallback: (reference) => ({ query: { id: reference } }),
  redeliverCallback: (reference) => ({ body: { id: reference } }),
  submitCard: (reference) => ({ body: submission(reference) }),
  acceptTransaction: (reference) => ({ body: { transaction_id: reference } }),
  rejectTransaction: (reference) => ({ body: { transaction_id: reference } }),
  renewTransaction: (reference) => ({ body: { transaction_id: reference } }),
  refundTransaction: (reference) => ({ body: { transaction_id: reference } }),
  cancelTransaction: (reference) => ({ body: { transaction_id: reference } }),
  getCryptoTransaction: (reference) => ({ query: { id: reference } }),
  approveCryptoTransaction: (reference) => ({ body: { id: reference } }),
  getWithdrawal: (reference) => ({ query: { id: reference } }),
  createWithdrawal: (reference) => ({
    body: { code: 'btc', walletAddress: reference, source: 'credited', destination: outside.bitcoin },
  }),
  submitWithdrawal: (reference) => ({ body: { id: reference, signed: '00' } }),
  rotateWallet: (reference) => ({ body: { walletAddress: reference } }),
  rejectCryptoTransaction: (reference) => ({ body: { id: reference } }),
  takeBackInvitation: (reference) => ({ body: { id: numberOf(reference) } }),
  setPersonRole: (reference) => ({ body: { id: numberOf(reference), role: 'viewer' } }),
  removePerson: (reference) => ({ body: { id: numberOf(reference) } }),
  // test/server/token-management.test.ts names those of others.
  revokeAccessToken: () => ({ body: { id: 999_999_999 } }),
};

/** People and their invitations have numbers; of anything else one that nobody has. */
function numberOf(reference: string): number {
  return /^\d+$/.test(reference) ? Number(reference) : 999_999;
}

/** How those are called that name nothing: they speak of whoever calls. */
const own: Record<string, () => Sent> = {
  createTransaction: () => ({ body: creation() }),
  listTransactions: () => ({ query: {} }),
  exportTransactions: () => ({ query: {} }),
  createInvoice: () => ({ body: { txId: 'invoice-1', code: 'btc', amount: '150000', type: 'revolver' } }),
  listCryptoTransactions: () => ({ query: {} }),
  listWallets: () => ({ query: {} }),
  listWithdrawals: () => ({ query: {} }),
  listCurrencies: () => ({}),
  listEvents: () => ({ query: {} }),
  getStatistics: () => ({ query: {} }),
  listCallbacks: () => ({ query: {} }),
  testCallback: () => ({ body: {} }),
  rotateCallbackSecret: () => ({ body: {} }),
  listPaymentMethods: () => ({ body: { country: 'USA', currency: 'USD' } }),
  setPaymentMethods: () => ({
    body: { payment_methods: [{ payment_method: 'credit_card', currency: 'USD', status: 'disable' }] },
  }),
  listPreferences: () => ({}),
  listPreferenceKeys: () => ({ query: {} }),
  createAccessToken: () => ({ body: { name: 'Till', scopes: ['link:write'] } }),
  listAccessTokens: () => ({ query: {} }),
  setPreference: () => ({ body: { key: 'brand-name', value: 'Mine' } }),
  setPreferences: () => ({ body: { preferences: [{ key: 'brand-name', value: 'Mine' }] } }),
  setPreferencesSingular: () => ({ body: { preferences: [{ key: 'brand-name', value: 'Mine' }] } }),
  listPeople: () => ({}),
  invitePerson: () => ({ body: { email: 'mine@shop.example', role: 'viewer' } }),
  listAuditEntries: () => ({ query: {} }),
  listMerchants: () => ({ query: {} }),
  createMerchant: () => ({ body: { name: 'One more' } }),
};

describe('what belongs to another merchant', () => {
  let world: World;
  let other: TestMerchant;
  /** A payment of theirs that is not begun, one that waits for a bank, one that is paid. */
  let theirs: string[];
  let theirCallbacks: string[];

  before(async () => {
    world = await openWorld();
    other = await world.makeMerchant('Other & Co');
    const links = [await createLink(world), await createLink(world), await createLink(world)];
    theirs = links.map(({ reference }) => reference);
    for (const { token } of [world.merchant, other])
      await world.request('/v1/merchant/preferences', {
        method: 'PATCH',
        token,
        body: { key: 'callback-url', value: 'http://localhost:1/callbacks' },
      });
    await submitCard(world, theirs[1] ?? '', cards.challenge);
    await submitCard(world, theirs[2] ?? '');
    await world.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'brand-name', value: 'Secret brand' },
    });
    const { body } = await world.request('/v1/callbacks');
    await world.work();
    const { create, pay } = invoicesOf(() => world);
    const [open, odd] = [await create(), await create()];
    await pay(odd, 1n);
    await world.work();
    theirs.push(open.id, odd.id, open.walletAddress);
    const { ask, mine } = withdrawalsOf(() => world);
    const paid = await create();
    await pay(paid);
    await mine(2);
    const asked = await ask({
      ...{ code: 'btc', walletAddress: paid.walletAddress, source: 'credited', destination: outside.bitcoin },
    });
    assert.equal(asked.status, 200, asked.text);
    theirs.push(asked.body.id, paid.walletAddress);
    const owner = await signedIn(world, 'owner');
    const { body: invited } = await owner.request('/v1/people/invite', {
      body: { email: 'their-friend@shop.example', role: 'viewer' },
    });
    theirs.push(String(owner.id), String(invited.invitation.id), owner.email, 'their-friend@shop.example');
    theirCallbacks = body.callbacks.map(({ id }: { id: string }) => id);
    assert.ok(theirCallbacks.length > 0);
  });
  after(async () => await world.close());

  const call = async ({ method, path }: Operation, { query, body }: Sent): Promise<Answer> => {
    const search = new URLSearchParams(query).toString();
    return await world.request(search === '' ? path : `${path}?${search}`, {
      method,
      token: other.managerToken,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  /** All rows of the merchant whose things they are. */
  const rows = async () =>
    Object.entries(await dumpRows(world.service().database)).flatMap(([table, all]) =>
      all.filter((row) => row.includes(`"merchant_id":${world.merchant.id},`)).map((row) => `${table} ${row}`),
    );
  /** What is said, but for what is another one at every call. */
  const said = ({ status, body }: Answer) => ({ status, ...body, request_id: '' });

  for (const described of operations) {
    test(`${described.id}: is neither seen, changed nor guessed`, async () => {
      const before = await rows();
      const name = naming[described.id];
      const speak = own[described.id];
      assert.ok(name ?? speak, `${described.id} is not covered: say how it is called`);
      if (name) {
        const nobodys = await call(described, name('nobody-has-this'));
        assert.equal(nobodys.status, 404, nobodys.text);
        // Theirs is answered as what does not exist is, whatever its state.
        for (const reference of [...theirs, ...theirCallbacks])
          assert.deepEqual(said(await call(described, name(reference))), said(nobodys), described.id);
      }
      if (speak) {
        const answer = await call(described, speak());
        assert.equal(answer.status, 200, answer.text);
        for (const secret of [...theirs, ...theirCallbacks, 'Secret brand'].filter((each) => !/^\d+$/.test(each)))
          assert.ok(!answer.text.includes(secret), answer.text);
      }
      assert.deepEqual(await rows(), before);
    });
  }

  test('may be called as one’s own is', async () => {
    const [reference = ''] = theirs;
    const body = creation({ transaction_id: reference, country: 'FRA', currency: 'EUR' });
    const created = await world.request('/fiat/v1/transaction', { token: other.token, body });
    assert.equal(created.status, 200, created.text);
    const detail = async (token: string) =>
      (await world.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token })).body;
    assert.equal((await detail(other.token)).currency, 'EUR');
    assert.equal((await detail(world.merchant.token)).currency, 'USD');
  });
});
