import type { LinkPage } from '../../testing/index.ts';
import { scenarios } from '../../testing/index.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { MAX_ATTEMPTS } from '../../src/payments/states.ts';
import { expect, stayOnPaidPage, type test } from './fixtures.ts';

export type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 1250.5 };

/** Starts a method and returns its link. */
async function startMethod(linkPage: LinkPage, server: Server, fields: Record<string, unknown>, option?: string) {
  const { link } = await server.createLinkWithMethods(fields);
  await linkPage.page.goto(link);
  if (option !== undefined) await linkPage.chooseOption(option);
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  return link;
}

/** Creates a link that expires after five minutes. */
async function withShortLifetime<Result>(server: Server, make: () => Promise<Result>): Promise<Result> {
  await server.setPreferenceForAll('link-lifetime-minutes', '5');
  try {
    return await make();
  } finally {
    await server.setPreferenceForAll('link-lifetime-minutes', null);
  }
}

/** Opens a link again after an action that no open page has seen. */
async function reopenAfter(linkPage: LinkPage, link: string, action: () => Promise<void>) {
  await linkPage.page.goto('about:blank');
  await action();
  await linkPage.page.goto(link);
}

type Reach = (linkPage: LinkPage, server: Server) => Promise<void>;

/** Opens a page in each state that a buyer can see, except for {@link continuations}. */
export const states: Record<string, Reach> = {
  async ready(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
  },
  async issuer(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.fillAndPay(scenarios.challenge);
    await expect(linkPage.issuer.heading).toBeVisible();
  },
  async paid(linkPage, server) {
    const { link, reference } = await server.createLink();
    await server.submitByApi(reference);
    await linkPage.page.goto(link);
    expect(await linkPage.outcome()).toBe('success');
  },
  async cancelled(linkPage, server) {
    const { link, reference } = await server.createLink();
    await server.cancel(reference);
    await linkPage.page.goto(link);
    expect(await linkPage.outcome()).toBe('cancel');
  },
  async expired(linkPage, server) {
    const { link } = await withShortLifetime(server, async () => await server.createLink());
    await server.advance(5 * MINUTE);
    await linkPage.page.goto(link);
    await expect(linkPage.page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  },
  async failed(linkPage, server) {
    const { link, reference } = await server.createLink();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1)
      await server.submitByApi(reference, scenarios.declined.card_number.replaceAll(' ', ''));
    await linkPage.page.goto(link);
    await expect(linkPage.page.getByText(/declined/).first()).toBeVisible();
  },
  async offline(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.page.context().setOffline(true);
    await expect(linkPage.page.getByText(/You're offline/).first()).toBeVisible();
  },
  async answer_lost(linkPage, server) {
    await linkPage.page.goto((await server.createLink()).link);
    await linkPage.fill(scenarios.approved);
    for (const path of ['**/fiat/v1/transaction/submit', '**/p/*/state', '**/p/*/events'])
      await linkPage.page.route(path, async (route) => await route.abort('connectionreset'));
    await linkPage.pay();
    await expect(linkPage.page.getByRole('heading', { name: 'Confirming your payment' })).toBeVisible();
    // Polling the outcome, it detects that it is offline.
    await expect(linkPage.page.getByText(/You're offline/).first()).toBeVisible();
  },
  async restricted(linkPage, server) {
    await server.setPreference('unknown-country', 'refuse');
    await linkPage.page.goto((await server.createLink()).link);
    await server.setPreference('unknown-country', null);
    await expect(linkPage.page.getByRole('heading', { name: /not supported/ })).toBeVisible();
  },
  async bank_choice(linkPage, server) {
    const { link } = await server.createLinkWithMethods({ ...thai, payment_method: 'online_banking' });
    await linkPage.page.goto(link);
    await linkPage.pay();
    await expect(linkPage.page.getByRole('searchbox')).toBeFocused();
  },
  async qr(linkPage, server) {
    await startMethod(linkPage, server, thai);
    await expect(linkPage.page.getByRole('img', { name: /PromptPay/ })).toBeVisible();
  },
  async bank_details(linkPage, server) {
    await startMethod(linkPage, server, { payment_method: 'virtual_account', country: 'BRA', currency: 'BRL' });
  },
  async app_intent(linkPage, server) {
    await startMethod(linkPage, server, { payment_method: 'upi', country: 'IND', currency: 'INR' });
    await expect(linkPage.page.getByRole('img', { name: /UPI/ })).toBeVisible();
  },
  async crypto(linkPage, server) {
    await startMethod(linkPage, server, { payment_method: 'crypto_payment' }, 'Bitcoin');
    await expect(linkPage.page.getByRole('img', { name: /BTC/ })).toBeVisible();
  },
  async expired_late(linkPage, server) {
    const link = await withShortLifetime(server, async () => await startMethod(linkPage, server, thai));
    await reopenAfter(linkPage, link, async () => await server.advance(6 * MINUTE));
    await expect(linkPage.page.getByText(/We haven't received a payment yet/).first()).toBeVisible();
  },
  async overpaid(linkPage, server) {
    await server.simulate(await startMethod(linkPage, server, thai), 'overpay');
    await expect(linkPage.page.getByRole('heading', { name: 'You paid too much' })).toBeVisible();
  },
  async paid_twice(linkPage, server) {
    await stayOnPaidPage(linkPage.page, await server.addresses());
    const link = await startMethod(linkPage, server, thai);
    await reopenAfter(linkPage, link, async () => await server.simulate(link, 'duplicate'));
    await expect(linkPage.page.getByText(/You paid more than the amount/).first()).toBeVisible();
  },
  async failed_part(linkPage, server) {
    const link = await withShortLifetime(server, async () => await startMethod(linkPage, server, thai));
    await reopenAfter(linkPage, link, async () => {
      await server.simulate(link, 'underpay');
      await server.advance(10 * MINUTE);
    });
    await expect(linkPage.page.getByRole('heading', { name: 'You paid too little' })).toBeVisible();
    expect(await linkPage.outcome()).toBe('error');
  },
};

/** States that the page of another state reaches, in this order. */
export const continuations: Record<string, Record<string, Reach>> = {
  ready: {
    async field_errors(linkPage) {
      await linkPage.pay();
      await expect(linkPage.field('card_number')).toBeFocused();
    },
    async declined(linkPage) {
      await linkPage.fillAndPay(scenarios.declined);
      expect(await linkPage.outcome()).toBe('decline');
    },
    async checking(linkPage) {
      await linkPage.fillAndPay(scenarios.unknown);
      expect(await linkPage.outcome()).toBe('pending');
    },
  },
  issuer: {
    async challenge(linkPage) {
      await linkPage.page.goBack();
      await expect(linkPage.bankLink).toBeVisible();
    },
  },
  qr: {
    async refused(linkPage, server) {
      await server.simulate(linkPage.page.url(), 'refuse');
      await expect(linkPage.page.getByRole('heading', { name: 'Payment not completed' })).toBeVisible();
    },
    async partly_paid(linkPage, server) {
      await linkPage.pay();
      await expect(linkPage.instructions).toBeVisible();
      await server.simulate(linkPage.page.url(), 'underpay');
      await expect(linkPage.page.getByRole('heading', { name: 'Partial payment received' })).toBeVisible();
      expect(await linkPage.outcome()).toBe('pending');
    },
  },
  crypto: {
    async confirmations(linkPage, server) {
      await server.simulate(linkPage.page.url(), 'exact');
      await expect(linkPage.page.getByRole('heading', { name: 'Payment detected' })).toBeVisible();
    },
  },
};
