import assert from 'node:assert/strict';
import type { TransactionDetail } from '../../src/api/fiat-transaction.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { formOf, isChain, type WorldsMove } from './simulator-form.ts';
import { type createLink, submitCard } from './requests.ts';
import type { World } from './world.ts';

export type Link = Awaited<ReturnType<typeof createLink>>;
export type Begun = NonNullable<PageState['begun']>;

/** What buyers do on the link page, and what their bank, wallet or chain does then. */
export function buyersOf(worldNow: () => World) {
  const stateOf = async (link: Link): Promise<PageState> =>
    (await worldNow().request(`${link.path}/state`, { token: null })).body;

  const detailOf = async ({ reference }: Link): Promise<TransactionDetail> =>
    (await worldNow().request(`/fiat/v1/transaction?transaction_id=${reference}`)).body;

  /** Begins a method, with the token that the page has now or, when it has none any more, had at first. */
  const tryToBegin = async (link: Link, payment_method: string, choice: string | null = null) => {
    const { clientToken } = await stateOf(link);
    const token = clientToken ?? link.clientToken;
    return await worldNow().request(`${link.path}/method`, { body: { payment_method, choice }, token });
  };

  const begin = async (link: Link, paymentMethod: string, choice: string | null = null): Promise<Begun> => {
    const { status, body, text } = await tryToBegin(link, paymentMethod, choice);
    assert.equal(status, 200, text);
    return body.begun;
  };

  const decide = async (address: string | null, decision: string) => await post(address, `decision=${decision}`);

  const post = async (address: string | null, body: string) => {
    assert.ok(address, 'there is nothing to decide');
    return await worldNow().request(new URL(address).pathname, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
  };

  /** Plays the buyer's bank, wallet or chain. */
  const simulate = async ({ simulatorUrl }: Pick<Begun, 'simulatorUrl'>, move: WorldsMove) => {
    const form = formOf(simulatorUrl ?? '', move);
    if (form === null) return;
    const { status, text } = await post(simulatorUrl, form);
    assert.equal(status, 303, text);
    // What a chain tells is read by a job.
    if (isChain(simulatorUrl)) await worldNow().work();
  };

  return {
    stateOf,
    detailOf,
    tryToBegin,
    begin,
    simulate,

    /** Lets the simulated chain confirm what it has seen. */
    async confirm(begun: Begun) {
      assert.ok(begun.instructions.action === 'crypto');
      for (let block = 0; block < begun.instructions.minConfirmations; block += 1) await simulate(begun, 'block');
    },

    /** Pays with a card on the page. */
    async pay(link: Link, card: string) {
      const { clientToken } = await stateOf(link);
      return await submitCard(worldNow(), link.reference, card, clientToken ?? '');
    },

    /** Answers the question of the card's bank. */
    visitIssuer: async (challengeUrl: string | null, decision: 'approve' | 'refuse') =>
      await decide(challengeUrl, decision),

    /** What the merchant does about a payment. */
    act: async ({ reference }: Link, action: 'accept' | 'reject' | 'cancel', reason?: string) =>
      await worldNow().request(`/fiat/v1/transaction/${action}`, {
        body: { transaction_id: reference, ...(reason !== undefined && { reason }) },
      }),
  };
}
