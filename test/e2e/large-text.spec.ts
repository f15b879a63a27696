import { chromiumSwitches, findFastChromium } from '../../scripts/chromium.mjs';
import { horizontalOverflow } from './barriers.ts';
import { expect, test } from './fixtures.ts';

/** Text of twice the size, as in the settings of a browser. */
test.use({
  launchOptions: {
    executablePath: findFastChromium() ?? '',
    args: [...chromiumSwitches, '--blink-settings=defaultFontSize=32'],
  },
  viewport: { width: 360, height: 740 },
});

test('with text of twice the size, fields are below each other and words stay whole', async ({ page, server }) => {
  await page.goto((await server.createLinkWithMethods()).link);
  const country = await page.getByLabel('Country').boundingBox();
  const postcode = await page.getByLabel('ZIP code').boundingBox();
  expect(postcode?.y).toBeGreaterThan((country?.y ?? 0) + (country?.height ?? 0));
  await page.getByRole('radio', { name: 'Crypto', exact: true }).check();
  const coin = page.getByText('Litecoin', { exact: true });
  await expect(coin).toBeVisible();
  expect(await coin.evaluate((element) => element.getClientRects().length)).toBe(1);
  expect(await horizontalOverflow(page)).toBe(0);
});
