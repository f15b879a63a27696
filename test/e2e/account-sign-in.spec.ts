import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { MINUTE } from '../../src/shared/time.ts';
import { startServerProcess } from '../support/server-process.ts';
import { PASSWORD, enterPassword, openDialog, signInAs, watchFor } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test as base } from './fixtures.ts';

/** Passkeys need a host name, not an IP address. */
const test = base.extend<object, { server: Awaited<ReturnType<typeof startServerProcess>>['server'] }>({
  server: [
    async ({}, use) => {
      const { server, stop } = await startServerProcess({ onLocalhost: true });
      await use(server);
      await stop();
    },
    { scope: 'worker' },
  ],
});

/** Adds a virtual authenticator whose user consents to everything (WebDriver, WebAuthn Level 3, section 11). */
async function addVirtualAuthenticator(page: Page): Promise<void> {
  // With autofill, the virtual user would consent before any click.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('an invited user creates a passkey, and signs in with it later', async ({ page, server, urls }) => {
  await addVirtualAuthenticator(page);
  const owner = await page.context().browser()?.newContext();
  const ownersPage = await owner?.newPage();
  if (!owner || !ownersPage) throw new Error('No second browser');
  await signInAs(ownersPage, server, 'owner', { path: 'team' });
  await ownersPage.getByRole('button', { name: 'Invite member' }).first().click();
  const dialog = openDialog(ownersPage);
  await dialog.getByLabel('Email').fill('ada@shop.example');
  await dialog.getByRole('button', { name: /invit/i }).click();
  const link = await ownersPage.getByText(/\/account\/join#/).innerText();
  await owner.close();

  await page.goto(link);
  await expect(page.getByText('Kettle & Co')).toBeVisible();
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: /passkey/i }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();

  await page.getByRole('button', { name: /Ada Lovelace/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await page.goto(`${urls.url}/account/me`);
  await expect(page.getByText('First passkey')).toBeVisible();
});

test('a password requires a code once an authenticator app is set up', async ({ page, server, urls }) => {
  const { email } = await signInAs(page, server, 'owner');
  await page.goto(`${urls.url}/account/me`);
  await page.getByRole('button', { name: 'Set up' }).click();
  const secret = (await page.getByText(/^[A-Z2-7 ]{32,}$/).innerText()).replaceAll(' ', '');
  const code = async () => {
    const { serverTime } = await server.now();
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: serverTime });
  };
  await page.getByRole('textbox', { name: /code/i }).fill(await code());
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^[0-9a-z]{4}(-[0-9a-z]{4}){5}$/)).toHaveCount(10);
  await server.advance(60_000_000);

  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (!context || !other) throw new Error('No second browser');
  await other.goto(`${urls.url}/account/sign-in`);
  await enterPassword(other, email, 'something else');
  await expect(other.getByText('Incorrect email or password.')).toBeVisible();
  await enterPassword(other, email);
  await other.getByRole('textbox', { name: /code/i }).fill(await code());
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await context.close();
});

test('credentials are changed after a step-up, with a password and then with a passkey', async ({
  page,
  server,
  urls,
}) => {
  await addVirtualAuthenticator(page);
  await signInAs(page, server, 'owner');
  await page.goto(`${urls.url}/account/me`);
  await server.advance(6 * MINUTE);
  const dialog = openDialog(page);
  const addPasskey = async () => {
    await page.getByRole('button', { name: 'Add passkey' }).click();
    // A key that is pressed before the dialog has the focus does not reach it.
    await expect(dialog.getByLabel('Passkey name')).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await addPasskey();
  const password = dialog.getByLabel('Current password');
  await expect(password).toBeFocused();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.type('something else');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Incorrect password. Try again.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: /^Remove: / })).toHaveCount(0);

  await addPasskey();
  await expect(password).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const remove = page.getByRole('button', { name: /^Remove: / });
  await expect(remove).toBeVisible();

  await server.advance(6 * MINUTE);
  await remove.click();
  await openDialog(page).getByRole('button', { name: 'Remove' }).click();
  await expect(dialog.getByRole('button', { name: 'Use passkey' })).toBeFocused();
  const sawMessage = await watchFor(page, '[role=status]', /Passkey removed/);
  await page.keyboard.press('Enter');
  await sawMessage();
  await expect(remove).toHaveCount(0);
});

test('an open page reports that its session was ended elsewhere', async ({ page, server, urls }) => {
  const { email } = await signInAs(page, server, 'owner', { path: 'overview' });
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  const context = await page.context().browser()?.newContext();
  const other = await context?.newPage();
  if (!context || !other) throw new Error('No second browser');
  await other.goto(`${urls.url}/account/sign-in`);
  await enterPassword(other, email);
  await other.waitForURL(/overview/);
  await other.goto(`${urls.url}/account/me`);
  await other.getByRole('button', { name: /^End session/ }).click();
  await expect(page.getByText('You’ve been signed out')).toBeVisible();
  await context.close();
});

test('another merchant’s URL is not accessible, and a viewer has no actions', async ({ page, server, urls }) => {
  const other = await server.makeMerchant('Other & Co');
  const { merchant } = await signInAs(page, server, 'viewer');
  for (const path of [`${other.id}/overview`, `${other.id}/transactions`, '999/team']) {
    await page.goto(`${urls.url}/account/${path}`);
    await expect(page.getByRole('main')).toContainText('You don’t have access to this merchant');
    await expect(page.getByRole('link', { name: 'Go home' })).toBeVisible();
    await expect(page.getByText('Other & Co')).toHaveCount(0);
  }
  await page.goto(`${urls.url}/account/${merchant}/overview`);
  const navigation = page.getByRole('navigation').first();
  await expect(navigation.getByRole('link', { name: 'Transactions' })).toBeVisible();
  for (const name of ['Review queue', 'New link', 'Team', 'Audit log'])
    await expect(navigation.getByRole('link', { name })).toHaveCount(0);
  await page.goto(`${urls.url}/account/${merchant}/team`);
  await expect(page.getByRole('main')).toContainText('Your role doesn’t have access to this page');
});

test('the requested page is kept during sign-in', async ({ page, server, urls }) => {
  const { email } = await server.makeUser('owner');
  const merchant = await server.merchantId();
  await page.goto(`${urls.url}/account/${merchant}/team`);
  await page.waitForURL(/sign-in/);
  await enterPassword(page, email, PASSWORD);
  await expect(page.getByRole('heading', { name: 'Team' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`sign-in is accessible (${colorScheme})`, async ({ page, urls }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${urls.url}/account/sign-in`);
    await page.getByRole('button', { name: 'Sign in with a password' }).click();
    await expect(page.getByLabel('Email')).toBeFocused();
    expect(await findings(page)).toEqual([]);
  });
