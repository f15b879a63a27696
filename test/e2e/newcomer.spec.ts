import { LinkPage, scenarios } from '../../testing/index.ts';
import { enterPassword } from './account.ts';
import { expect, test } from './fixtures.ts';

const MAX_CLICKS = 12;

test('a new merchant signs in, brands the page, shares a link and is paid, in few clicks', async ({
  page,
  context,
  server,
  urls,
}) => {
  const owner = await server.createUserInNewMerchant('owner', 'Newcomer');
  let clicks = 0;
  await context.exposeFunction('countClick', () => (clicks += 1));
  await context.addInitScript(() => {
    const { countClick } = window as unknown as { countClick: () => void };
    addEventListener('pointerdown', () => countClick(), true);
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: urls.url });
  await page.goto(`${urls.url}/account`);
  await enterPassword(page, owner.email, owner.password);

  await page.getByRole('link', { name: 'Branding' }).click();
  await page.locator('[data-key="brand-name"]').getByRole('textbox').fill('Kettle & Daughters');
  await page.getByLabel('Brand color', { exact: true }).fill('#ffcc00');
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByRole('link', { name: 'New link' }).click();
  await page.getByLabel('Amount (USD)').fill('12.50');
  await page.getByLabel('Description').fill('Two cups and a saucer');
  await expect(page.locator('link-preview')).toContainText('Kettle & Daughters');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Copy Payment link' }).click();
  const clipboard = async () => await page.evaluate(async () => await navigator.clipboard.readText());
  // The page writes to the clipboard after the click.
  await expect.poll(clipboard).toContain(urls.url);
  const shared = await clipboard();

  const buyer = await context.newPage();
  await buyer.goto(shared);
  await expect(buyer.locator('.merchant-name')).toHaveText('Kettle & Daughters');
  await expect(buyer.locator('button.pay').first()).toHaveCSS('background-color', 'rgb(255, 204, 0)');
  const linkPage = new LinkPage(buyer);
  await linkPage.fillAndPay(scenarios.approved);
  expect(await linkPage.outcome()).toBe('success');

  await page.getByRole('link', { name: 'View transaction' }).click();
  await expect(page.locator('.transaction-head')).toContainText('Paid');
  expect(clicks, 'every click was counted').toBeGreaterThan(5);
  expect(clicks).toBeLessThanOrEqual(MAX_CLICKS);
});
