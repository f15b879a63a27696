// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('Litecoin in the sandbox', () => {
  let fixture: Fixture;
  const { create, get, pay, mine, prefer, review, chain, ...withdrawals } = withdrawalsOf(() => fixture);
  const { enableWithdrawals, onlyWithdrawal, received, setFee, listWithdrawals, getWithdrawal } = withdrawals;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  after(async () => await fixture.close());

  test('has its own minimum amount and confirmations', async () => {
    const { body } = await fixture.request('/v1/currencies');
    assert.deepEqual(
      body.currencies.find(({ code }: { code: string }) => code === 'ltc'),
      { code: 'ltc', name: 'Litecoin', chain: 'litecoin', decimals: 8, minAmount: '2940', minConfirmations: 6 },
    );
    const tooLittle = { txId: 'too-little', code: 'ltc', amount: '2939', type: 'revolver' };
    assert.equal((await fixture.request('/v1/transaction/invoice', { body: tooLittle })).status, 422);
  });

  test('an invoice is complete after six blocks, and swept to the merchant’s address', async () => {
    await enableWithdrawals('ltc', external.litecoin);
    await prefer({ 'wallet-rotate-amount-ltc': '1' });
    const invoice = await create({ code: 'ltc', amount: '2500000' });
    assert.match(invoice.uri, /^litecoin:rltc1q[a-z0-9]+\?amount=0\.025$/);
    await pay(invoice);
    await mine(5, 'litecoin');
    assert.equal((await get(invoice)).status, 'waiting');
    await mine(1, 'litecoin');
    assert.equal((await get(invoice)).status, 'complete');
    await mine(6, 'litecoin');
    const { status, amount, fee, feeCode } = await onlyWithdrawal({ code: 'ltc' });
    assert.deepEqual([status, feeCode, BigInt(amount ?? 0) + BigInt(fee ?? 0)], ['confirmed', 'ltc', 2_500_000n]);
    assert.equal(await received('litecoin', external.litecoin, 'ltc'), BigInt(amount ?? 0));
  });

  test('an unconfirmed withdrawal is replaced at a higher fee after 24 blocks', async () => {
    await enableWithdrawals('ltc', otherExternal.litecoin);
    const litecoin = chain('litecoin');
    const { broadcast, findTransaction } = litecoin;
    // The node has it, but no miner includes it.
    litecoin.broadcast = async () => await Promise.resolve({ kind: 'sent' });
    litecoin.findTransaction = async () => await Promise.resolve({ state: 'waiting' });
    await pay(await create({ code: 'ltc', amount: '3000000' }));
    await mine(6, 'litecoin');
    const [first] = await listWithdrawals({ code: 'ltc', status: 'sent' });
    assert.equal(first?.txHashes.length, 1);
    await setFee('litecoin', 30n);
    await mine(23, 'litecoin');
    assert.equal((await getWithdrawal(first)).txHashes.length, 1);
    await mine(1, 'litecoin');
    assert.equal((await getWithdrawal(first)).txHashes.length, 2);
    litecoin.broadcast = broadcast;
    litecoin.findTransaction = findTransaction;
    await mine(1, 'litecoin');
    await mine(6, 'litecoin');
    const done = await getWithdrawal(first);
    assert.equal(done.status, 'confirmed');
    assert.equal(await received('litecoin', otherExternal.litecoin, 'ltc'), BigInt(done.amount ?? 0));
  });

  test('a rejected deposit is refunded only to a Litecoin address', async () => {
    const invoice = await create({ code: 'ltc', amount: '2500000' });
    await pay(invoice, '1000000');
    await mine(6, 'litecoin');
    assert.equal((await get(invoice)).status, 'approved_required');
    assert.equal((await review('reject', invoice, { refundAddress: external.bitcoin })).status, 422);
    const before = await received('litecoin', otherExternal.litecoin, 'ltc');
    const response = await review('reject', invoice, { refundAddress: otherExternal.litecoin });
    assert.equal(response.status, 200, response.text);
    await fixture.work();
    await mine(6, 'litecoin');
    assert.equal((await get(invoice)).status, 'refunded');
    assert.ok((await received('litecoin', otherExternal.litecoin, 'ltc')) > before);
  });
});
