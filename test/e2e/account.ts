import { expect, type Locator, type Page } from '@playwright/test';
import type { UserRole } from '../../src/shared/roles.ts';
import { PASSWORD } from '../support/users.ts';
import type { RemoteServer } from '../support/server-process.ts';

export { PASSWORD };

/** The open dialog. Its content is slotted into the element with the role, and is found within the component only. */
export function openDialog(page: Page): Locator {
  return page.locator('wa-dialog[open], wa-drawer[open]');
}

/** Chooses an option of a select by their names. */
export async function choose(page: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).filter({ visible: true }).click();
  await page.getByRole('option', { name: option }).filter({ visible: true }).click();
}

/**
 * Watches for a text that disappears after a few seconds, in an element of the page. The page itself does, because a
 * busy machine may stop the test meanwhile. Call the result after the action that shows it.
 */
export async function watchFor(page: Page, selector: string, text: RegExp): Promise<() => Promise<void>> {
  const watch = await page.evaluateHandle(
    ([selector, text]) => {
      const watch = { isSeen: false };
      new MutationObserver(() => {
        watch.isSeen ||= [...document.querySelectorAll(selector)].some(
          (each) => text.test(each.textContent) && each.checkVisibility({ visibilityProperty: true }),
        );
      }).observe(document, { subtree: true, childList: true, characterData: true });
      return watch;
    },
    [selector, text] as const,
  );
  return async () => await expect.poll(() => watch.evaluate(({ isSeen }) => isSeen), String(text)).toBe(true);
}

/** Fills in the password form. */
export async function enterPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in with a password' }).click();
}

/** Signs in a new user with this role and opens a page of the account area. */
export async function signInAs(
  page: Page,
  server: RemoteServer,
  role: UserRole,
  { path = '', merchant }: { path?: string; merchant?: number } = {},
): Promise<{ id: number; email: string; merchant: number }> {
  const { url } = await server.addresses();
  const of = merchant ?? (await server.merchantId());
  const user = await server.makeUser(role, { merchant: of });
  await page.goto(`${url}/account/sign-in`);
  await enterPassword(page, user.email);
  await page.waitForURL((address) => !address.pathname.endsWith('/sign-in'));
  if (path !== '') await page.goto(`${url}/account/${of}/${path}`);
  return { ...user, merchant: of };
}
