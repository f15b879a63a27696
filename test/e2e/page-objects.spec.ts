import type { Page } from '@playwright/test';
import { IssuerPage, LinkPage, PayForm, scenarios } from '../../testing/index.ts';
import { expect, returnToShop, stayOnPaidPage, test } from './fixtures.ts';

/** The published page objects, on a merchant's page. */
type Server = Parameters<Parameters<typeof test>[2]>[0]['server'];

async function openCheckout(page: Page, server: Server, attributes = '', after = '') {
  const { embedUrl, reference } = await server.createEmbed();
  await page.goto(await server.servePage(`<pay-form src="${embedUrl}" ${attributes}></pay-form>${after}`));
  return { form: new PayForm(page.locator('pay-form')), reference };
}

test('the scenarios without a challenge end with their outcomes', async ({ page, server }) => {
  const { form } = await openCheckout(page, server);
  for (const name of ['declined', 'insufficientFunds', 'expiredCard', 'approved'] as const) {
    await form.fillAndPay(scenarios[name]);
    expect(await form.outcome(), name).toBe(name === 'approved' ? 'success' : 'decline');
  }
  for (const [name, outcome] of [
    ['frictionless', 'success'],
    ['unknown', 'pending'],
  ] as const) {
    const next = await openCheckout(page, server);
    await next.form.fillAndPay(scenarios[name]);
    expect(await next.form.outcome(), name).toBe(outcome);
  }
});

test('the challenge in the form’s dialog is approved, refused and closed', async ({ page, server }) => {
  const { form, reference } = await openCheckout(page, server);
  await form.fillAndPay(scenarios.challenge);
  expect(await form.outcome()).toBe('challenge');
  await form.issuer.leave();
  expect(await form.outcome()).toBe('cancel');
  await form.fillAndPay(scenarios.challenge);
  await form.issuer.decline();
  expect(await form.outcome()).toBe('decline');
  await form.fillAndPay(scenarios.challenge);
  await form.issuer.approve();
  expect(await form.outcome()).toBe('success');
  expect((await server.detail(reference)).attempts).toHaveLength(3);
});

test('the challenge on its own page is supported', async ({ page, server, urls }) => {
  const { form } = await openCheckout(page, server, 'redirect="top"');
  await form.fillAndPay(scenarios.challenge);
  await new IssuerPage(page).approve();
  await returnToShop(page, urls);
});

test('errors are reported by field name, and outcome() returns the latest outcome', async ({ page, server }) => {
  const { form } = await openCheckout(page, server);
  await form.fillAndPay({ ...scenarios.declined, card_cvv: '12', email: '' });
  expect(await form.fieldErrors()).toEqual({
    card_cvv: expect.stringContaining('3 digits'),
    email: 'Enter an email address.',
  });
  await form.fillAndPay(scenarios.declined);
  expect(await form.outcome()).toBe('decline');
  expect(await form.fieldErrors()).toEqual({});
  await form.fillAndPay(scenarios.approved);
  expect(await form.outcome()).toBe('success');
});

test('a page pays with its own button, and prefilled fields are skipped', async ({ page, server }) => {
  const { reference } = await openCheckout(
    page,
    server,
    'no-button',
    `<button type="button" id="buy">Buy</button>
<script nonce="test">
const form = document.querySelector('pay-form');
form.billing = { first_name: 'Grace', email: 'grace@example.com' };
document.querySelector('#buy').onclick = () => form.submit();
</script>`,
  );
  const form = new PayForm(page.locator('pay-form'), { payButton: page.getByRole('button', { name: 'Buy' }) });
  await form.fillAndPay({ ...scenarios.declined, last_name: '' });
  expect(await form.fieldErrors()).toEqual({ last_name: 'Enter the last name on the card.' });
  await form.fillAndPay(scenarios.declined);
  expect(await form.outcome()).toBe('decline');
  await form.fillAndPay(scenarios.approved);
  expect(await form.outcome()).toBe('success');
  expect((await server.detail(reference)).status).toBe('transaction_status_confirmed');
});

test('an embedded link works like a form', async ({ page, server }) => {
  const { link } = await server.createLink();
  await page.goto(await server.servePage(`<pay-form src="${link}"></pay-form>`));
  const form = new PayForm(page.locator('pay-form'));
  await form.fillAndPay(scenarios.challenge);
  await form.issuer.approve();
  expect(await form.outcome()).toBe('success');
});

test('a link returns to the shop without payment', async ({ page, linkPage, server, urls }) => {
  const { link } = await server.createLink();
  await page.goto(link);
  await linkPage.backToShop();
  await page.waitForURL(`${urls.siteUrl}/not-paid`);
  expect(new LinkPage(page).issuer).toBeInstanceOf(IssuerPage);
});

test('a link is paid in crypto with the simulator', async ({ page, linkPage, server, urls }) => {
  const { link, reference } = await server.createLinkWithMethods({ amount: 20 });
  await stayOnPaidPage(page, urls);
  await page.goto(link);
  await linkPage.choose('Crypto');
  await linkPage.chooseOption('Ether');
  await linkPage.pay();
  await expect(linkPage.instructions).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sandbox: simulate the payment' })).toBeVisible();
  const simulator = await linkPage.openSimulator();
  await expect(simulator.page.getByText(/^0\.\d+ ETH$/)).toBeVisible();
  for (const name of ['Pay less', 'Pay more', 'Pay twice'])
    await expect(simulator.page.getByRole('button', { name })).toBeVisible();
  await simulator.decide('exact');
  for (let block = 0; block < 12; block += 1) await simulator.decide('block');
  // The simulator can respond before the page has received the last block.
  await expect.poll(() => linkPage.outcome()).toBe('success');
  expect((await server.detail(reference, urls.allMethodsToken)).status).toBe('transaction_status_confirmed');
});
