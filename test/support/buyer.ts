import assert from 'node:assert/strict';
import type { TransactionDetail } from '../../src/api/fiat-transaction.ts';
import type { PageState } from '../../src/api/page-state.ts';
import { simulatorForm, isChainSimulator, type SimulatorAction } from './simulator-form.ts';
import { type createLink, submitCard } from './requests.ts';
import type { Fixture } from './fixture.ts';

export type Link = Awaited<ReturnType<typeof createLink>>;
export type StartedPayment = NonNullable<PageState['started']>;

/** Actions of buyers on the link page, and of their bank, wallet or chain. */
export function createBuyers(fixtureNow: () => Fixture) {
  const stateOf = async (link: Link): Promise<PageState> =>
    (await fixtureNow().request(`${link.path}/state`, { token: null })).body;

  const detailOf = async ({ reference }: Link): Promise<TransactionDetail> =>
    (await fixtureNow().request(`/fiat/v1/transaction?transaction_id=${reference}`)).body;

  /** Starts a push payment, with the page's current token, or else its first. */
  const tryStartPayment = async (link: Link, payment_method: string, choice: string | null = null) => {
    const { clientToken } = await stateOf(link);
    const token = clientToken ?? link.clientToken;
    return await fixtureNow().request(`${link.path}/method`, { body: { payment_method, choice }, token });
  };

  const startPayment = async (
    link: Link,
    paymentMethod: string,
    choice: string | null = null,
  ): Promise<StartedPayment> => {
    const { status, body, text } = await tryStartPayment(link, paymentMethod, choice);
    assert.equal(status, 200, text);
    return body.started;
  };

  const postDecision = async (url: string | null, decision: string) => await post(url, `decision=${decision}`);

  const post = async (url: string | null, body: string) => {
    assert.ok(url, 'there is no page for the decision');
    return await fixtureNow().request(new URL(url).pathname, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      token: null,
    });
  };

  /** Simulates the buyer's bank, wallet or chain. */
  const simulate = async ({ simulatorUrl }: Pick<StartedPayment, 'simulatorUrl'>, action: SimulatorAction) => {
    const form = simulatorForm(simulatorUrl ?? '', action);
    if (form === null) return;
    const { status, text } = await post(simulatorUrl, form);
    assert.equal(status, 303, text);
    // A job scans the chain.
    if (isChainSimulator(simulatorUrl)) await fixtureNow().work();
  };

  return {
    stateOf,
    detailOf,
    tryStartPayment,
    startPayment,
    simulate,

    /** Mines blocks until the deposit is final. */
    async confirm(payment: StartedPayment) {
      assert.ok(payment.instructions.action === 'crypto');
      for (let block = 0; block < payment.instructions.minConfirmations; block += 1) await simulate(payment, 'block');
    },

    /** Pays with a card on the page. */
    async pay(link: Link, card: string) {
      const { clientToken } = await stateOf(link);
      return await submitCard(fixtureNow(), link.reference, card, clientToken ?? '');
    },

    /** Completes the 3-D Secure challenge on the issuer's page. */
    completeChallenge: async (challengeUrl: string | null, decision: 'approve' | 'refuse') =>
      await postDecision(challengeUrl, decision),

    /** Reviews, cancels or renews a payment as the merchant. */
    merchantAction: async ({ reference }: Link, action: 'accept' | 'reject' | 'cancel' | 'renew', reason?: string) =>
      await fixtureNow().request(`/fiat/v1/transaction/${action}`, {
        body: { transaction_id: reference, ...(reason !== undefined && { reason }) },
      }),
  };
}
