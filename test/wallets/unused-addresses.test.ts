import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { attributeDeposit } from '../../src/invoices/attribute.ts';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('unused addresses', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { ADDRESS_GAP_LIMIT: '20' } });
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { create, get, pay, mine } = invoicesOf(() => fixture);
  const fill = async (count: number) => {
    const created: Awaited<ReturnType<typeof create>>[] = [];
    for (let index = 0; index < count; index += 1) created.push(await create({ amount: '70000' }));
    return created;
  };
  const nextIndex = async () => {
    const { next_index: next } = await db(fixture.service().database)
      .selectFrom('wallet_accounts')
      .select('next_index')
      .where('chain', '=', 'bitcoin')
      .executeTakeFirstOrThrow();
    return next;
  };

  test('are reused at the gap limit: by the same merchant, for another amount, after a week', async () => {
    const former = await fill(20);
    const addresses = former.map(({ walletAddress }) => walletAddress);
    await fixture.advance(HOUR);
    assert.ok(!addresses.includes((await create()).walletAddress), 'unused addresses have a cooldown');
    await fixture.advance(8 * DAY);
    const other = await fixture.makeMerchant('Bob');
    assert.ok(!addresses.includes((await create({}, other)).walletAddress), 'never to another merchant');
    assert.ok(!addresses.includes((await create({ amount: '70000' })).walletAddress), 'never for the same amount');
    const before = await nextIndex();
    const again = [await create(), await create({ amount: '99000' })];
    for (const { walletAddress } of again) assert.ok(addresses.includes(walletAddress));
    assert.notEqual(again[0]?.walletAddress, again[1]?.walletAddress);
    assert.equal(await nextIndex(), before);

    // The former payer pays late: the deposit needs review.
    const [invoice] = again;
    assert.ok(invoice);
    await pay({ ...invoice, amountRequired: '70000' });
    await mine(2);
    assert.equal((await get(invoice)).status, 'approved_required');
    // A deposit closes the gap: fresh addresses are issued again.
    const fresh = await create({ amount: '88000' });
    assert.equal(await nextIndex(), before + (addresses.includes(fresh.walletAddress) ? 0 : 1));
  });

  test('an address with a deposit, or an open payment, is not reused', async () => {
    const former = await fill(20);
    const [paid] = former;
    assert.ok(paid);
    await pay(paid, 5n);
    await fixture.work();
    await fixture.advance(8 * DAY);
    const open = await create({ type: 'user' });
    for (let index = 0; index < 25; index += 1) {
      const { walletAddress } = await create({ amount: String(80_000 + index) });
      assert.ok(![paid.walletAddress, open.walletAddress].includes(walletAddress));
    }
  });

  test('at the address of a former link, only the exact amount needs no review', () => {
    const candidate = { id: 1, amountRequired: 1000n, tolerance: 0n, expiresAt: 10, received: 'nothing' as const };
    const rules = { reviewAll: false, acceptUnmatched: true, minAmount: 0n };
    const at = (amount: bigint, isReused: boolean) =>
      attributeDeposit(
        { code: 'btc', amount, seenAt: 5 },
        { type: 'user', code: 'btc', isRetired: false, isReused },
        [candidate],
        rules,
      );
    assert.deepEqual(at(999n, true), { kind: 'invoice', id: 1, isAccepted: false });
    assert.deepEqual(at(1000n, true), { kind: 'invoice', id: 1, isAccepted: true });
    assert.deepEqual(at(999n, false), { kind: 'invoice', id: 1, isAccepted: true });
  });
});
