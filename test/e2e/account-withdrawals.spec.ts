import { MINUTE } from '../../src/shared/time.ts';
import { startServerProcess } from '../support/server-process.ts';
import { signPsbt } from '../support/signing.ts';
import { external } from '../support/withdrawals.ts';
import { signInAs, watchFor } from './account.ts';
import { findings } from './barriers.ts';
import { expect, test as base } from './fixtures.ts';

const test = base.extend<object, { server: Awaited<ReturnType<typeof startServerProcess>>['server'] }>({
  server: [
    async ({}, use) => {
      const { server, stop } = await startServerProcess({ hasExternalKeys: true });
      await use(server);
      await stop();
    },
    { scope: 'worker' },
  ],
});

test('a manager submits a transaction signed offline, and it is broadcast', async ({ page, server }) => {
  const { id: merchant, token, managerToken } = await server.makeMerchant('Kettle & Co');
  const body = { txId: 'coffee-1', code: 'btc', amount: '150000', type: 'revolver' };
  const { body: invoice } = await server.callApi('/v1/transaction/invoice', { method: 'POST', token, body });
  for (const act of ['pay exact', 'mine 6']) await server.runChainAction(invoice['id'] as string, act);
  await server.advance(MINUTE);
  const withdrawalRequest = { code: 'btc', walletAddress: invoice['walletAddress'] as string, source: 'credited' };
  const { status } = await server.callApi('/v1/withdrawals', {
    ...{ method: 'POST', token: managerToken },
    body: { ...withdrawalRequest, destination: external.bitcoin },
  });
  expect(status).toBe(200);
  await server.advance(MINUTE);

  await signInAs(page, server, 'manager', { merchant, path: 'crypto' });
  await page.getByRole('button', { name: /Awaiting signature/ }).click();
  const unsigned = page.locator('pre.unsigned');
  await expect(unsigned).toContainText(/^cHNidP/);
  const psbt = (await unsigned.textContent()) ?? '';
  const field = page.getByRole('textbox', { name: 'Signed transaction' });
  await field.fill(psbt);
  await page.getByRole('button', { name: 'Submit transaction' }).click();
  await expect(field).toHaveAccessibleDescription(/not a signed transaction/);
  expect(await findings(page)).toEqual([]);

  await field.fill(await signPsbt(psbt));
  const sawMessage = await watchFor(page, '[role=status]', /Signed transaction submitted/);
  await page.getByRole('button', { name: 'Submit transaction' }).click();
  await sawMessage();
  await server.advance(MINUTE);
  await expect(page.getByRole('button', { name: /Sent, unconfirmed/ })).toBeVisible();
  await expect(unsigned).toHaveCount(0);
});
