// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '../../src/shared/time.ts';
import { invoicesOf } from '../support/invoices.ts';
import { bitcoinAddress } from '../support/simulated-chains.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('credited deposits with another in review', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());

  const { create, get, pay, mine, prefer, review } = invoicesOf(() => fixture);
  const listSpent = async (): Promise<string[]> => {
    const { body } = await fixture.request('/v1/withdrawals');
    return body.withdrawals.map(({ spent }: { spent: string }) => spent);
  };

  /** A user's wallet with 450,000 sat credited, and an unrelated 6,000 sat in review. */
  const dusted = async () => {
    const invoice = await create({ type: 'user' });
    await pay(invoice, 450_000n);
    await mine(3);
    assert.equal((await get(invoice)).status, 'complete');
    await prefer({ 'new-tx-manual-approve': true });
    await pay(invoice, 6000n);
    await mine(3);
    await prefer({ 'new-tx-manual-approve': null });
    assert.equal((await get(invoice)).status, 'approved_required');
    return invoice;
  };
  const withdraw = async (walletAddress: string) =>
    await fixture.request('/v1/withdrawals', {
      body: { walletAddress, code: 'btc', source: 'credited', destination: bitcoinAddress(901) },
      token: fixture.merchant.managerToken,
    });

  test('a manager withdraws the credited deposits without the dust', async () => {
    const { walletAddress } = await dusted();
    const { status, body, text } = await withdraw(walletAddress);
    assert.equal(status, 200, text);
    assert.equal(body.spent, '450000');
    assert.equal((await withdraw(walletAddress)).body.code, 'nothing_to_withdraw');
    await mine(3);
  });

  test('credited deposits are swept, and the dust after its approval', async () => {
    const before = (await listSpent()).length;
    const settings = {
      'auto-withdrawal': true,
      'auto-withdrawal-destination-btc': bitcoinAddress(902),
      'wallet-rotate-amount-btc': '400000',
    };
    const invoice = await dusted();
    await prefer(settings);
    await fixture.advance(25 * HOUR);
    await mine();
    const swept = await listSpent();
    assert.equal(swept.length, before + 1);
    assert.ok(swept.includes('450000'), String(swept));
    await prefer({ 'auto-withdrawal': false });
    assert.equal((await review('approve', invoice)).status, 200);
    await mine(3);
    assert.equal((await withdraw(invoice.walletAddress)).body.spent, '6000');
  });

  test('a deposit without enough confirmations stays', async () => {
    const invoice = await create({ type: 'user' });
    await pay(invoice, 450_000n);
    await mine(3);
    await pay(invoice, 200_000n);
    await mine();
    assert.equal((await get(invoice)).status, 'waiting');
    assert.equal((await withdraw(invoice.walletAddress)).body.spent, '450000');
  });
});
