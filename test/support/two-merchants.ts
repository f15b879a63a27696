import assert from 'node:assert/strict';
import { invoicesOf } from './invoices.ts';
import { ownCalls } from './operation-calls.ts';
import { signedIn } from './users.ts';
import { cards, createLink, submitCard } from './requests.ts';
import { external, withdrawalsOf } from './withdrawals.ts';
import type { TestMerchant, Fixture } from './fixture.ts';

/** Two merchants of one service: `fixture.merchant`, who has one object of every kind, and another one. */
export interface TwoMerchants {
  other: TestMerchant;
  /** Identifiers of payments, invoices, wallets, withdrawals, members, invitations and acquirer accounts of `fixture.merchant`. */
  theirs: readonly string[];
  theirCallbacks: readonly string[];
}

export async function openTwoMerchants(fixture: Fixture): Promise<TwoMerchants> {
  const other = await fixture.makeMerchant('Other & Co');
  const links = [await createLink(fixture), await createLink(fixture), await createLink(fixture)];
  const theirs = links.map(({ reference }) => reference);
  for (const { token } of [fixture.merchant, other])
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      token,
      body: { key: 'callback-url', value: 'http://localhost:1/callbacks' },
    });
  await submitCard(fixture, theirs[1] ?? '', cards.challenge);
  await submitCard(fixture, theirs[2] ?? '');
  await fixture.request('/v1/merchant/preferences', {
    method: 'PATCH',
    body: { key: 'brand-name', value: 'Secret brand' },
  });
  const { body } = await fixture.request('/v1/callbacks');
  await fixture.work();
  const { create, pay } = invoicesOf(() => fixture);
  const [open, odd] = [await create(), await create()];
  await pay(odd, 1n);
  await fixture.work();
  theirs.push(open.id, odd.id, open.walletAddress);
  const { requestWithdrawal, mine } = withdrawalsOf(() => fixture);
  const paid = await create();
  await pay(paid);
  await mine(2);
  const requested = await requestWithdrawal({
    ...{ code: 'btc', walletAddress: paid.walletAddress, source: 'credited', destination: external.bitcoin },
  });
  assert.equal(requested.status, 200, requested.text);
  theirs.push(requested.body.id, paid.walletAddress);
  const owner = await signedIn(fixture, 'owner');
  const { body: invited } = await owner.request('/v1/people/invite', {
    body: { email: 'their-friend@shop.example', role: 'viewer' },
  });
  theirs.push(String(owner.id), String(invited.invitation.id), owner.email, 'their-friend@shop.example');
  const { body: account } = await fixture.request('/v1/acquirer-accounts', {
    token: fixture.merchant.managerToken,
    body: ownCalls.addAcquirerAccount?.().body,
  });
  theirs.push(account.id);
  const theirCallbacks = body.callbacks.map(({ id }: { id: string }) => id);
  assert.ok(theirCallbacks.length > 0);
  return { other, theirs, theirCallbacks };
}
