import { STORED_BLOCKS } from '../../src/chains/blocks.ts';
import { scanJobName } from '../../src/chains/cursor.ts';
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { base64, hex } from '@scure/base';
import { SigHash, Transaction } from '@scure/btc-signer';
import { RawTx } from '@scure/btc-signer/script.js';
import { createExternalKeys, parseAccountKey } from '../../src/chains/bitcoin/account-key.ts';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { createEthereumSpender } from '../../src/chains/ethereum/spender.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';
import { simulatedBitcoinNetwork, simulatedEthereumNetwork } from '../../src/chains/simulated/chain.ts';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { onSqlite } from '../support/databases.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const NO_DELAY = { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' };
const ETHER = 10n ** 18n;

describe('withdrawals', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: NO_DELAY });
    await fixture.work();
  });
  afterEach(async () => {
    await assertWithdrawals(fixture.service().database);
    await fixture.close();
  });
  const wallets = withdrawalsOf(() => fixture);
  const { chain, create, pay, mine, get, review, prefer, enableWithdrawals, fillWallets, onlyWithdrawal, received } =
    wallets;
  const { setFee, listWithdrawals, requestWithdrawal, fillGasWallet, getWithdrawal } = wallets;

  const statuses = async () => {
    const { body } = await fixture.request('/v1/events?limit=100');
    return body.events as any[];
  };

  test('retired wallets are swept together, once, and confirmed', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000', '250000', '350000']);
    await mine(1);
    assert.deepEqual(await listWithdrawals(), []);
    await mine(1);
    const sent = await onlyWithdrawal();
    assert.deepEqual([sent.status, sent.purpose, sent.spent, sent.wallets.length], ['sent', 'sweep', '750000', 3]);
    assert.equal(BigInt(sent.amount ?? 0) + BigInt(sent.fee ?? 0), 750_000n);
    await mine(1);
    assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(sent.amount ?? 0));
    await mine(1);
    const { status, confirmations, txHash } = await onlyWithdrawal();
    assert.deepEqual([status, confirmations, txHash], ['confirmed', 2, sent.txHash]);
    const changes = (await statuses()).filter(({ type }) => type === 'crypto.withdrawal.updated');
    assert.deepEqual(
      changes
        .map((event) => webhookBodies['crypto.withdrawal.updated'].parse(event).data)
        .map((data) => [data.status, data.sequence]),
      [
        ['waiting', 1],
        ['sent', 2],
        ['sent', 3],
        ['confirmed', 4],
      ],
    );
    await mine(10);
    assert.equal((await listWithdrawals()).length, 1);
  });

  onSqlite('more than a hundred deposits are split over several transactions', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const invoice = await create({ type: 'user', amount: '1000' });
    for (let index = 0; index < 103; index += 1) await pay(invoice, 20_000n);
    await mine(3);
    await mine(3);
    const withdrawals = await listWithdrawals();
    assert.deepEqual(
      withdrawals.map(({ spent }) => spent),
      ['2000000', '60000'],
    );
    assert.equal(
      await received('bitcoin', external.bitcoin, 'btc'),
      withdrawals.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n),
    );
  });

  onSqlite('a user’s wallet is swept at the rotation amount, and continues to serve', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'wallet-rotate-amount-btc': '100000' });
    const user = await create({ type: 'user' });
    await pay(user, 60_000n);
    await mine(2);
    assert.deepEqual(await listWithdrawals(), []);
    await pay(user, 40_000n);
    await mine(2);
    assert.equal((await onlyWithdrawal()).spent, '100000');
    await mine(2);
    await pay(user, 99_999n);
    await mine(4);
    assert.equal((await onlyWithdrawal()).status, 'confirmed');
    assert.equal((await get(user)).amount, '199999');
  });

  onSqlite('a user’s wallet rotated manually is swept at any balance', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    const user = await create({ type: 'user' });
    await pay(user, 60_000n);
    await mine(3);
    assert.deepEqual(await listWithdrawals(), []);
    const { walletAddress } = user;
    const token = fixture.merchant.managerToken;
    assert.equal((await fixture.request('/v1/wallet/rotate', { body: { walletAddress }, token })).status, 200);
    await mine(1);
    assert.equal((await onlyWithdrawal()).spent, '60000');
  });

  test('after a change of the account key, new invoices get wallets that can be swept', async () => {
    await prefer({ 'wallet-reuse-delay-minutes': 0 });
    const [unpaid, paid] = [await create({ type: 'static' }), await create()];
    await pay(paid);
    await mine(2);
    assert.equal((await get(paid)).status, 'complete');

    const otherSeed = new Uint8Array(64).fill(7);
    await fixture.restart({
      deriveSandboxAccount: async (_seed, name, options) => await deriveAccount(otherSeed, name, options),
    });
    await fixture.work();
    const created = [
      await create({ type: 'static' }),
      await create({ type: 'static', amount: '250000' }),
      await create(),
    ];
    const { publicKey } = await deriveAccount(otherSeed, 'bitcoin', { isTest: true });
    const [first, second] = [0, 1].map((index) => chain().addresses.derive(publicKey, index));
    assert.deepEqual(
      created.map(({ walletAddress }) => walletAddress),
      [first, first, second],
    );
    await pay(unpaid);
    await mine(2);
    assert.equal((await get(unpaid)).status, 'complete');
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    for (const invoice of created) await pay(invoice);
    await mine(4);
    assert.equal((await onlyWithdrawal()).spent, '550000');
  });

  onSqlite('deposits in review, rejected or unattributed are not swept', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const [odd, refusal, good] = [await create(), await create(), await create()];
    await pay(odd, 7n);
    await pay(refusal, 9000n);
    await pay(good);
    await fixture.work();
    await review('reject', refusal);
    await mine(2);
    assert.equal((await onlyWithdrawal()).spent, '150000');
    await pay(good, 5000n);
    await mine(8);
    assert.equal((await onlyWithdrawal()).status, 'confirmed');
  });

  onSqlite('balance parts: credited, being sent, confirming, awaiting review, unattributed and rejected', async () => {
    const readParts = async ({ walletAddress }: { walletAddress: string }) => {
      const { body } = await fixture.request('/v1/wallets?per_page=100');
      const { balance, parts, incoming } = body.wallets.find((each: any) => each.walletAddress === walletAddress);
      return { balance, ...parts, incoming };
    };
    const none = {
      ...{ balance: '0', credited: '0', sending: '0', confirming: '0' },
      ...{ in_review: '0', unattributed: '0', rejected: '0' },
    };
    const user = await create({ type: 'user' });
    assert.deepEqual(await readParts(user), { ...none, incoming: '0' });
    await pay(user, 60_000n);
    await fixture.work();
    assert.deepEqual(await readParts(user), { ...none, incoming: '60000' });
    await mine(1);
    assert.deepEqual(await readParts(user), { ...none, balance: '60000', confirming: '60000', incoming: '0' });
    await mine(1);
    await pay(user, 1000n);
    await mine(1);
    const withdrawal = { ...none, balance: '61000', credited: '60000', confirming: '1000', incoming: '0' };
    assert.deepEqual(await readParts(user), withdrawal);

    // Partly rejected: the wallet continues with the other deposits.
    await prefer({ 'new-tx-manual-approve': true });
    await pay(user, 300n);
    await mine(2);
    await prefer({ 'new-tx-manual-approve': false });
    const waits = { ...none, balance: '61300', credited: '61000', in_review: '300', incoming: '0' };
    assert.deepEqual(await readParts(user), waits);
    await review('reject', user);
    assert.deepEqual(await readParts(user), { ...waits, in_review: '0', rejected: '300' });

    // Partly approved, then rejected with the whole transaction and refunded.
    const less = await create();
    await pay(less, 70_000n);
    await mine(2);
    await review('approve', less);
    await mine(1);
    assert.equal((await readParts(less)).credited, '70000');
    const late = await create();
    await pay(late, 7000n);
    await mine(1);
    await review('reject', late, { refundAddress: external.bitcoin });
    assert.deepEqual(await readParts(late), { ...none, balance: '7000', rejected: '7000', incoming: '0' });
    await mine(1);
    assert.equal((await onlyWithdrawal()).status, 'sent');
    assert.deepEqual(await readParts(late), { ...none, balance: '7000', sending: '7000', incoming: '0' });
    await mine(1);
    assert.deepEqual(await readParts(late), { ...none, incoming: '0' });

    // A deposit to a retired wallet stays unattributed, whatever its review, until it is withdrawn.
    const { walletAddress, code } = user;
    const token = fixture.merchant.managerToken;
    const { body } = await fixture.request('/v1/wallet/rotate', { body: { walletAddress }, token });
    assert.deepEqual(body.wallet.parts, {
      credited: '61000',
      sending: '0',
      confirming: '0',
      in_review: '0',
      unattributed: '0',
      rejected: '300',
    });
    await pay(user, 20_000n);
    await mine(2);
    const all = {
      balance: '81300',
      credited: '61000',
      sending: '0',
      confirming: '0',
      in_review: '0',
      unattributed: '20000',
      rejected: '300',
    };
    assert.deepEqual(await readParts(user), { ...all, incoming: '0' });
    const response = await requestWithdrawal({
      code,
      walletAddress,
      source: 'unattributed',
      destination: external.bitcoin,
    });
    assert.equal(response.status, 200, response.text);
    const sending = { ...all, unattributed: '0', sending: '20000', incoming: '0' };
    assert.deepEqual(await readParts(user), sending);
    await fixture.work();
    assert.deepEqual(await readParts(user), sending);
    await mine(1);
    assert.deepEqual(await readParts(user), { ...all, balance: '61300', unattributed: '0', incoming: '0' });
    await chain().reorg(1);
    await fixture.work();
    assert.deepEqual(await readParts(user), sending);
  });

  onSqlite('nothing is withdrawn without auto-withdrawal or a destination', async () => {
    await fillWallets('btc', ['150000']);
    await mine(4);
    await prefer({ 'auto-withdrawal': true });
    await mine(1);
    await prefer({ 'auto-withdrawal': false, 'auto-withdrawal-destination-btc': external.bitcoin });
    await mine(1);
    assert.deepEqual(await listWithdrawals(), []);
    await prefer({ 'auto-withdrawal': true });
    await mine(1);
    assert.equal((await onlyWithdrawal()).status, 'sent');
  });

  onSqlite('a withdrawal waits with a reason while the fee is above the limit, then continues', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'max-fee-limit-auto-withdrawal-btc': 10 });
    await setFee('bitcoin', 11n);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const waiting = await onlyWithdrawal();
    assert.equal(waiting.status, 'waiting');
    assert.deepEqual(
      [waiting.waitsFor?.reason, waiting.waitsFor?.feeNow, waiting.waitsFor?.limit, waiting.txHash],
      ['fee_limit', '11', '10', null],
    );
    // Deposits received in the meantime are added.
    await fillWallets('btc', ['250000']);
    await mine(2);
    assert.deepEqual([(await onlyWithdrawal()).spent, (await onlyWithdrawal()).status], ['400000', 'waiting']);
    await setFee('bitcoin', 10n);
    await fixture.advance(MINUTE);
    const sent = await onlyWithdrawal();
    assert.deepEqual([sent.status, sent.waitsFor, sent.feeRate], ['sent', null, '10']);
    assert.deepEqual(
      (await statuses())
        .filter(({ type }) => type === 'crypto.withdrawal.updated')
        .map(({ data }) => data.waitsFor?.reason),
      ['queued', 'fee_limit', undefined],
    );
  });

  onSqlite('an amount that does not exceed its fee waits for a lower fee', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['700']);
    await mine(2);
    assert.deepEqual(
      [(await onlyWithdrawal()).waitsFor?.reason, (await onlyWithdrawal()).status],
      ['amount_too_small', 'waiting'],
    );
    await setFee('bitcoin', 1n);
    await mine(1);
    await mine(2);
    assert.equal((await onlyWithdrawal()).status, 'confirmed');
  });

  onSqlite('are listed by status, currency and time of change, page by page', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const [first] = await listWithdrawals();
    assert.ok(first);
    for (let block = 0; block < 2; block += 1) await mine(1);
    await fixture.advance(HOUR);
    const since = new Date(fixture.clock.now() / 1000).toISOString();
    await fillWallets('btc', ['250000']);
    await mine(2);
    const idsOf = async (query: Record<string, string>) => (await listWithdrawals(query)).map(({ id }) => id);
    const [, second, ...others] = await listWithdrawals();
    assert.ok(second && others.length === 0);
    assert.deepEqual(await idsOf({ status: 'confirmed' }), [first.id]);
    assert.deepEqual(await idsOf({ updated_since: since }), [second.id]);
    assert.deepEqual([await idsOf({ code: 'btc' }), await idsOf({ code: 'eth' })], [[first.id, second.id], []]);
    const { body } = await fixture.request('/v1/withdrawals?per_page=1');
    assert.deepEqual(body.withdrawals, [second]);
    assert.deepEqual(await idsOf({ cursor: body.next_cursor }), [first.id]);
  });

  test('a refund that is reverted in its block fails, and a manager can withdraw its funds', async () => {
    await fillGasWallet(ETHER);
    const invoice = await create({ code: 'usdt', amount: '25000000', type: 'revolver' });
    await pay(invoice, 20_000_000n);
    await mine(13, 'ethereum');
    await review('reject', invoice, { refundAddress: external.ethereum });
    const findRefund = async () => (await listWithdrawals()).find(({ purpose }) => purpose === 'refund');
    for (let block = 0; block < 30 && (await findRefund())?.status !== 'sent'; block += 1) await mine(1, 'ethereum');
    const refund = await findRefund();
    assert.ok(refund?.status === 'sent', JSON.stringify(refund));
    // The token contract rejects the transfer in the block.
    await db(fixture.service().database)
      .updateTable('simulated_transactions')
      .set({ gas_limit: 30_000 })
      .where('tx_hash', '=', refund.txHash ?? '')
      .execute();
    for (const blocks of [1, 13]) await mine(blocks, 'ethereum');
    const failed = await getWithdrawal(refund);
    assert.deepEqual([failed.status, (await get(invoice)).status], ['failed', 'failed']);
    assert.match(failed.failure ?? '', /was reverted in its block/);
    const body = {
      code: 'usdt',
      walletAddress: invoice.walletAddress,
      source: 'rejected',
      destination: external.ethereum,
    };
    const { status, body: manual, text } = await requestWithdrawal(body);
    assert.equal(status, 200, text);
    for (const blocks of [1, 13, 1, 13]) await mine(blocks, 'ethereum');
    assert.equal((await getWithdrawal(manual)).status, 'confirmed');
    assert.equal(await received('ethereum', external.ethereum, 'usdt'), 20_000_000n);
  });

  onSqlite('funds rejected as a whole include deposits that were accepted before', async () => {
    const invoice = await create({ amount: '100000', type: 'revolver' });
    await pay(invoice, 60_000n);
    await mine(2);
    await prefer({ 'tx-manual-auto-approve': true });
    await pay(invoice, 40_000n);
    await mine(2);
    assert.equal((await review('reject', await get(invoice))).status, 200);
    const body = {
      code: 'btc',
      walletAddress: invoice.walletAddress,
      source: 'rejected',
      destination: external.bitcoin,
    };
    const { body: requested, text } = await requestWithdrawal(body);
    assert.equal(requested.spent, '100000', text);
  });

  onSqlite('a refund excludes deposits that were withdrawn before the rejection', async () => {
    const invoice = await create({ amount: '100000', type: 'revolver' });
    await pay(invoice, 60_000n);
    await mine(2);
    await prefer({ 'tx-manual-auto-approve': true });
    await pay(invoice, 40_000n);
    await mine(2);
    const { walletAddress } = invoice;
    const body = { code: 'btc', walletAddress, source: 'credited', destination: external.bitcoin };
    const { body: withdrawn } = await requestWithdrawal(body);
    await mine(2);
    await review('reject', invoice, { refundAddress: external.bitcoin });
    await mine(2);
    assert.deepEqual(
      (await listWithdrawals()).map(({ purpose, spent, status }) => `${purpose} ${spent} ${status}`).sort(),
      [`manual ${withdrawn.spent} confirmed`, 'refund 60000 sent'],
    );
    await mine(2);
    assert.equal((await get(invoice)).status, 'refunded');
  });

  onSqlite('a refund fails if its only deposit is dropped and another was withdrawn before', async () => {
    const invoice = await create({ amount: '100000', type: 'revolver' });
    const dropped = await pay(invoice, 60_000n);
    await mine(1);
    await prefer({ 'tx-manual-auto-approve': true });
    await pay(invoice, 40_000n);
    await mine(2);
    const { walletAddress } = invoice;
    const body = { code: 'btc', walletAddress, source: 'credited', destination: external.bitcoin };
    assert.equal((await requestWithdrawal(body)).status, 200);
    await mine(2);
    assert.equal((await review('reject', invoice, { refundAddress: external.bitcoin })).body.status, 'refunding');
    await chain().reorg(5, { drop: [dropped] });
    await mine(3);
    assert.equal((await get(invoice)).status, 'failed');
    const { purpose, status } = await onlyWithdrawal();
    assert.deepEqual([purpose, status], ['manual', 'confirmed']);
  });

  test('a refund spends only its own deposits; its transaction becomes refunded, and a reorg reverts it', async () => {
    const [less, other] = [await create({ type: 'static' }), await create({ type: 'static', amount: '90000' })];
    await pay(less, 100_000n);
    await pay(other);
    await fixture.work();
    const [unidentified] = await wallets.list({ status: 'approved_required' });
    assert.ok(unidentified);
    await review('reject', unidentified, { refundAddress: external.bitcoin });
    assert.equal((await get(unidentified)).status, 'refunding');
    await mine(1);
    assert.deepEqual(await listWithdrawals(), []);
    await mine(1);
    const refund = await onlyWithdrawal();
    assert.deepEqual(
      [refund.purpose, refund.status, refund.spent, refund.transactionId, refund.destination],
      ['refund', 'sent', '100000', unidentified.id, external.bitcoin],
    );
    await mine(1);
    assert.equal((await get(unidentified)).status, 'refunding');
    await mine(1);
    assert.deepEqual([(await get(unidentified)).status, (await onlyWithdrawal()).status], ['refunded', 'confirmed']);
    await chain().reorg(2);
    await fixture.work();
    assert.deepEqual([(await get(unidentified)).status, (await onlyWithdrawal()).status], ['refunding', 'sent']);
    await assertWithdrawals(fixture.service().database);
    await mine(2);
    assert.deepEqual([(await get(unidentified)).status, (await onlyWithdrawal()).status], ['refunded', 'confirmed']);
    assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(refund.amount ?? 0));
    assert.deepEqual(
      (await statuses()).filter(({ data }) => data.id === unidentified.id).map(({ data }) => data.status),
      ['approved_required', 'refunding', 'refunded', 'refunding', 'refunded'],
    );
  });

  test('a reorg reverts the withdrawal; the same transaction is sent again', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    await mine(2);
    const first = await onlyWithdrawal();
    assert.equal(first.status, 'confirmed');
    const { walletAddress } = (await wallets.list())[0] ?? {};
    const balance = async () =>
      (
        await db(fixture.service().database)
          .selectFrom('wallets')
          .select('balance')
          .where('address', '=', walletAddress ?? '')
          .executeTakeFirstOrThrow()
      ).balance;
    assert.equal(await balance(), '0');
    await chain().reorg(2);
    await fixture.work();
    assert.deepEqual(
      [(await onlyWithdrawal()).status, (await onlyWithdrawal()).confirmations, await balance()],
      ['sent', 0, '150000'],
    );
    // The nodes also evict it.
    await chain().evict(first.txHash ?? '');
    await mine(2);
    await mine(2);
    const again = await onlyWithdrawal();
    assert.deepEqual([again.status, again.txHash, await balance()], ['confirmed', first.txHash, '0']);
  });

  onSqlite('a deposit dropped permanently releases the others for another withdrawal', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    const [invoice] = await wallets.list();
    assert.ok(invoice);
    await fillWallets('btc', ['250000']);
    await mine(2);
    const withdrawal = await onlyWithdrawal();
    assert.equal(withdrawal.spent, '400000');
    const hash = (await get(invoice)).payments[0]?.txHash ?? '';
    await chain().reorg(2, { drop: [hash] });
    await fixture.work();
    await mine(2);
    await mine(2);
    const [failed, remainder] = await listWithdrawals();
    assert.deepEqual([failed?.status, remainder?.status, remainder?.spent], ['failed', 'confirmed', '250000']);
    assert.match(failed?.failure ?? '', /deposits were dropped/);
  });

  for (const [when, blocksBefore] of [
    ['before', 1],
    ['during', 0],
  ] as const)
    onSqlite(`a withdrawal mined ${when} an outage of hundreds of blocks is confirmed`, async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000']);
      await mine(2);
      if (blocksBefore > 0) await mine(blocksBefore);
      assert.equal((await onlyWithdrawal()).status, 'sent');
      await chain().mine(3 * STORED_BLOCKS);
      // The scan catches up before the withdrawals are checked.
      const scan = fixture.service().invoices.jobs.find(({ name }) => name === scanJobName('bitcoin'));
      while (((await scan?.runOnce()) ?? 0) > 0);
      await fixture.work();
      assert.equal((await onlyWithdrawal()).status, 'confirmed');
    });

  test('a refused transaction is sent again; the refusal is shown', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    const bitcoin = chain();
    const { broadcast } = bitcoin;
    bitcoin.broadcast = async () => await Promise.resolve({ kind: 'refused', reason: 'mempool full' });
    await mine(2);
    const refusal = await onlyWithdrawal();
    assert.deepEqual([refusal.status, refusal.waitsFor?.reason], ['waiting', 'rejected']);
    assert.match(refusal.waitsFor?.detail ?? '', /mempool full/);
    bitcoin.broadcast = broadcast;
    await mine(1);
    assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).txHash], ['sent', refusal.txHash]);
  });

  test('a transaction pending too long is replaced with a higher fee; the mined one counts', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await prefer({ 'max-fee-limit-auto-withdrawal-btc': 20 });
    await fillWallets('btc', ['150000']);
    const bitcoin = chain();
    const { broadcast, findTransaction } = bitcoin;
    // It is reported as pending, but lost.
    bitcoin.broadcast = async () => await Promise.resolve({ kind: 'sent' });
    bitcoin.findTransaction = async () => await Promise.resolve({ state: 'waiting' });
    await mine(2);
    const first = await onlyWithdrawal();
    await setFee('bitcoin', 30n);
    await mine(5);
    assert.equal((await onlyWithdrawal()).txHashes.length, 1);
    await mine(1);
    const bumped = await onlyWithdrawal();
    assert.deepEqual([bumped.txHashes.length, bumped.feeRate, bumped.status], [2, '20', 'sent']);
    assert.ok(bumped.txHashes.includes(first.txHash ?? ''));
    await mine(7);
    const atLimit = await onlyWithdrawal();
    assert.deepEqual([atLimit.txHashes.length, atLimit.waitsFor?.reason], [2, 'fee_limit']);
    bitcoin.broadcast = broadcast;
    bitcoin.findTransaction = findTransaction;
    await mine(1);
    await mine(2);
    const completed = await onlyWithdrawal();
    assert.deepEqual([completed.status, completed.txHash], ['confirmed', bumped.txHash]);
    assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(completed.amount ?? 0));
  });

  onSqlite('the first of two versions may be mined as well', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const bitcoin = chain();
    const { broadcast, findTransaction } = bitcoin;
    const first = await onlyWithdrawal();
    await bitcoin.evict(first.txHash ?? '');
    bitcoin.broadcast = async () => await Promise.resolve({ kind: 'sent' });
    bitcoin.findTransaction = async () => await Promise.resolve({ state: 'waiting' });
    await mine(6);
    assert.equal((await onlyWithdrawal()).txHashes.length, 2);
    const row = await db(fixture.service().database)
      .selectFrom('withdrawal_versions')
      .select('raw')
      .where('number', '=', 1)
      .executeTakeFirstOrThrow();
    assert.deepEqual(await broadcast(row.raw ?? ''), { kind: 'sent' });
    await bitcoin.mine(1);
    bitcoin.broadcast = broadcast;
    bitcoin.findTransaction = findTransaction;
    await mine(2);
    const completed = await onlyWithdrawal();
    assert.deepEqual([completed.status, completed.txHash, completed.amount], ['confirmed', first.txHash, first.amount]);
  });

  onSqlite('ether is swept in full, less its fee, wallet by wallet', async () => {
    await enableWithdrawals('eth', external.ethereum);
    await fillWallets('eth', [String(ETHER), String(2n * ETHER)]);
    await mine(12, 'ethereum');
    await mine(1, 'ethereum');
    await mine(12, 'ethereum');
    const withdrawals = await listWithdrawals();
    assert.deepEqual(
      withdrawals.map(({ status }) => status),
      ['confirmed', 'confirmed'],
    );
    const sum = withdrawals.reduce((total, { amount }) => total + BigInt(amount ?? 0), 0n);
    assert.equal(await received('ethereum', external.ethereum, 'eth'), sum);
    const fees = withdrawals.reduce((total, { fee }) => total + BigInt(fee ?? 0), 0n);
    assert.equal(sum + fees, 3n * ETHER);
  });

  test('tokens wait for gas funding; a gas wallet with too little ether is reported', async () => {
    await enableWithdrawals('usdt', external.ethereum);
    await fillWallets('usdt', ['25000000']);
    await mine(12, 'ethereum');
    const short = await onlyWithdrawal();
    assert.deepEqual([short.status, short.waitsFor?.reason], ['waiting', 'gas']);
    assert.match(short.waitsFor?.detail ?? '', /The gas wallet 0x[\dA-Fa-f]{40} has 0 wei, but needs \d+ wei/);
    const address = await fillGasWallet(ETHER);
    assert.ok(short.waitsFor?.detail.includes(address));
    await fixture.advance(MINUTE);
    const [token, gas] = await listWithdrawals();
    assert.deepEqual([token?.status, token?.waitsFor?.reason], ['waiting', 'gas']);
    assert.deepEqual([gas?.purpose, gas?.status, gas?.withdrawalId], ['gas', 'sent', token?.id]);
    await mine(1, 'ethereum');
    await mine(12, 'ethereum');
    const completed = await getWithdrawal({ id: token?.id ?? '' });
    assert.deepEqual([completed.status, completed.amount, completed.feeCode], ['confirmed', '25000000', 'eth']);
    assert.equal(await received('ethereum', external.ethereum, 'usdt'), 25_000_000n);
    // The operator's ether is not a deposit.
    assert.deepEqual(await wallets.list({ status: 'approved_required' }), []);
  });

  onSqlite('ether deposits at a token wallet do not pay its gas', async () => {
    await fillGasWallet(ETHER);
    await enableWithdrawals('usdt', external.ethereum);
    await prefer({ 'wallet-rotate-amount-usdt': '1' });
    const invoice = await create({ code: 'usdt', amount: '25000000' });
    await chain('ethereum').pay({ address: invoice.walletAddress, code: 'eth', amount: ETHER });
    await pay(invoice);
    await mine(12, 'ethereum');
    await mine(1, 'ethereum');
    await mine(13, 'ethereum');
    const [token, gas] = await listWithdrawals();
    assert.deepEqual([token?.status, gas?.purpose], ['confirmed', 'gas']);
    const { height, hash } = await chain('ethereum').tip();
    const balances = await chain('ethereum').balances('eth', [invoice.walletAddress], { height, hash });
    assert.ok((balances?.get(invoice.walletAddress) ?? 0n) >= ETHER);
  });

  onSqlite('a transfer pending too long is replaced with the same nonce and a higher fee', async () => {
    await enableWithdrawals('eth', external.ethereum);
    await fillWallets('eth', [String(ETHER)]);
    await mine(11, 'ethereum');
    await chain('ethereum').mine(1);
    await fixture.work();
    const first = await onlyWithdrawal();
    assert.equal(first.status, 'sent');
    // The base fee rises above its cap.
    await setFee('ethereum', 100n);
    await mine(15, 'ethereum');
    const bumped = await onlyWithdrawal();
    assert.deepEqual([bumped.txHashes.length, bumped.feeRate], [2, '149.5']);
    await mine(12, 'ethereum');
    const completed = await onlyWithdrawal();
    assert.deepEqual([completed.status, completed.txHash], ['confirmed', bumped.txHash]);
    assert.equal(BigInt(completed.amount ?? 0) + BigInt(completed.fee ?? 0), ETHER);
  });

  onSqlite('a manager withdraws unattributed and rejected deposits, once', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const retired = await create();
    await pay(retired);
    await mine(2);
    await pay(retired, 40_000n);
    await mine(2);
    const body = { code: 'btc', walletAddress: retired.walletAddress, destination: external.bitcoin };
    const stray = await requestWithdrawal({ ...body, source: 'unattributed' });
    assert.deepEqual([stray.status, stray.body.spent, stray.body.purpose], [200, '40000', 'manual']);
    assert.deepEqual(
      [(await requestWithdrawal({ ...body, source: 'unattributed' })).body.code],
      ['nothing_to_withdraw'],
    );
    const credited = await requestWithdrawal({ ...body, source: 'credited' });
    assert.equal(credited.body.spent, '150000');
    await fixture.work();
    await mine(2);
    assert.deepEqual(
      (await listWithdrawals()).map(({ status }) => status),
      ['confirmed', 'confirmed'],
    );
    const refusal = await create();
    await pay(refusal, 8000n);
    await fixture.work();
    await review('reject', refusal);
    await mine(2);
    const rejected = await requestWithdrawal({ ...body, walletAddress: refusal.walletAddress, source: 'rejected' });
    assert.equal(rejected.body.spent, '8000');
    await fixture.work();
  });

  onSqlite('a withdrawal below the dust limit is refused', async () => {
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const retired = await create();
    await pay(retired);
    await mine(2);
    await pay(retired, 293n);
    await mine(2);
    const body = { code: 'btc', walletAddress: retired.walletAddress, destination: external.bitcoin };
    const { status, body: problem } = await requestWithdrawal({ ...body, source: 'unattributed' });
    assert.deepEqual([status, problem.code], [409, 'withdrawal_below_minimum']);
    assert.match(problem.detail, /293 is below the network’s minimum of 294/);
    await pay(retired, 1n);
    await mine(2);
    assert.equal((await requestWithdrawal({ ...body, source: 'unattributed' })).body.spent, '294');
  });

  test('a hanging request that was repeated sends nothing twice', async () => {
    const user = await create({ type: 'user' });
    await prefer({ 'new-tx-manual-approve': true });
    await pay(user, 8000n);
    await mine(2);
    await review('reject', user);
    await pay(user, 9000n);
    await mine(2);
    const bitcoin = fixture.service().invoices.context.chains.forCurrency('btc');
    assert.ok(bitcoin);
    const { spender } = bitcoin;
    const body = { code: 'btc', walletAddress: user.walletAddress, destination: external.bitcoin, source: 'rejected' };
    const named = async () =>
      await fixture.request('/v1/withdrawals', {
        ...{ body, token: fixture.merchant.managerToken, headers: { 'idempotency-key': 'what there is' } },
      });
    let goOn = () => {};
    let hung: ReturnType<typeof named> | undefined;
    await new Promise<void>((hangs) => {
      bitcoin.spender = async () => {
        bitcoin.spender = spender;
        hangs();
        await new Promise<void>((go) => {
          goOn = go;
        });
        return await spender();
      };
      hung = named();
    });
    fixture.clock.advance(31_000_000);
    assert.equal((await named()).body.spent, '8000');
    await review('reject', user);
    goOn();
    const { status, body: problem, text } = (await hung) ?? assert.fail();
    assert.deepEqual([status, problem.code], [409, 'idempotency_key_in_use'], text);
    assert.equal((await onlyWithdrawal()).spent, '8000');
    assert.equal((await named()).body.spent, '8000');
  });

  onSqlite('a refund of too many deposits returns the largest; a manager withdraws the others', async () => {
    const invoice = await create({ amount: '9000000' });
    for (let part = 0; part < 103; part += 1) await pay(invoice, BigInt(10_000 + part));
    await fixture.work();
    await review('reject', invoice, { refundAddress: otherExternal.bitcoin });
    await mine(2);
    await mine(2);
    const [refund] = (await listWithdrawals()).slice(-1);
    const largest = Array.from({ length: 100 }, (_, index) => 10_003 + index).reduce((sum, part) => sum + part, 0);
    assert.deepEqual([refund?.purpose, refund?.status, refund?.spent], ['refund', 'confirmed', String(largest)]);
    assert.equal((await get(invoice)).status, 'refunded');
    const body = { code: 'btc', walletAddress: invoice.walletAddress, destination: external.bitcoin };
    const remainder = await requestWithdrawal({ ...body, source: 'rejected' });
    assert.deepEqual([remainder.status, remainder.body.spent], [200, '30003']);
    await fixture.work();
  });

  onSqlite(
    'only a manager’s token with the scope creates withdrawals, and only to an address of the network',
    async () => {
      await fillWallets('btc', ['150000']);
      await mine(2);
      const [invoice] = await wallets.list();
      const body = {
        code: 'btc',
        walletAddress: invoice?.walletAddress,
        source: 'credited',
        destination: external.bitcoin,
      };
      const lacking = await requestWithdrawal(body, fixture.merchant.token);
      assert.deepEqual([lacking.status, lacking.body.code], [403, 'forbidden']);
      assert.match(lacking.body.detail, /withdrawal:write/);
      const other = await fixture.makeMerchant('Other & Co');
      assert.equal((await requestWithdrawal(body, other.managerToken)).status, 404);
      for (const destination of ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', external.ethereum, 'nonsense']) {
        const { status, body: problem } = await requestWithdrawal({ ...body, destination });
        assert.deepEqual(
          [status, problem.errors[0].code, problem.errors[0].pointer],
          [422, 'invalid_address', '/destination'],
        );
      }
      const toOwnWallet = await requestWithdrawal({ ...body, destination: invoice?.walletAddress });
      assert.equal(toOwnWallet.status, 422);
      assert.deepEqual(await listWithdrawals(), []);
    },
  );

  onSqlite('a refund address is refused for a user’s wallet', async () => {
    await prefer({ 'min-amount-btc': '1000' });
    const user = await create({ type: 'user', amount: '5000' });
    await pay(user, 10n);
    await fixture.work();
    const { status, body } = await review('reject', user, { refundAddress: external.bitcoin });
    assert.deepEqual([status, body.errors[0].code], [422, 'not_for_type']);
  });

  test('two processes that share the database create one withdrawal', async () => {
    const second = await fixture.another();
    try {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000', '250000']);
      for (let round = 0; round < 4; round += 1) {
        await chain().mine(1);
        await Promise.all([fixture.work(), second.jobs.drain()]);
      }
      assert.equal((await onlyWithdrawal()).status, 'confirmed');
    } finally {
      await second.close();
    }
  });
});

describe('destination of automatic withdrawals', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { enableWithdrawals, fillWallets, prefer, mine, onlyWithdrawal, listWithdrawals, fillGasWallet } =
    withdrawalsOf(() => fixture);

  test('a change is reported immediately and takes effect after a day', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    assert.deepEqual(await listWithdrawals(), []);
    await fixture.advance(24 * HOUR);
    await mine(1);
    assert.equal((await onlyWithdrawal()).destination, external.bitcoin);
    await mine(2);

    await prefer({ 'auto-withdrawal-destination-btc': otherExternal.bitcoin });
    await fillWallets('btc', ['250000']);
    await fixture.work();
    await fixture.advance(23 * HOUR);
    await mine(3);
    const [, second] = await listWithdrawals();
    assert.equal(second?.destination, external.bitcoin);
    await fixture.advance(HOUR);
    await fillWallets('btc', ['350000']);
    await mine(3);
    const [, , third] = await listWithdrawals();
    assert.equal(third?.destination, otherExternal.bitcoin);

    const { body } = await fixture.request('/v1/events?limit=100');
    const changes = body.events
      .filter(({ type }: any) => type === 'crypto.withdrawal.destination_changed')
      .map((event: unknown) => webhookBodies['crypto.withdrawal.destination_changed'].parse(event).data);
    assert.deepEqual(
      changes.map(({ destination, previousDestination }: any) => [destination, previousDestination]),
      [
        [external.bitcoin, null],
        [otherExternal.bitcoin, external.bitcoin],
      ],
    );
    const [first] = changes;
    assert.ok(Math.abs(Date.parse(first.effectiveAt) - Date.parse(first.createdAt) - 24 * 3_600_000) < 1000);
  });

  onSqlite('must be an address of the network outside this service', async () => {
    const token = fixture.merchant.managerToken;
    const set = async (code: string, value: string) =>
      await fixture.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: `auto-withdrawal-destination-${code}`, value },
        token,
      });
    const mainnet = /^is a Bitcoin mainnet address; this service is on Bitcoin regtest$/;
    const none = /^must be an address that can receive/;
    for (const [code, value, words] of [
      ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', mainnet],
      ['btc', external.ethereum, none],
      ['eth', external.bitcoin, none],
      ['usdt', '0x52908400098527886E0F7030069857D2E4169eE7', none],
      [
        'eth',
        '0x0000000000000000000000000000000000000000',
        /^is the zero address: funds sent to it are lost; use an address of your own wallet$/,
      ],
      ['usdt', simulatedEthereumNetwork.tokens.usdc?.address ?? '', /^is the contract of usdc: /],
      ['usdt', await fillGasWallet(1n), /^is the gas wallet of this service; /],
    ] as const) {
      const { status, body } = await set(code, value);
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, '/value', 'invalid_value'], value);
      assert.match(body.errors[0].detail, words);
    }
    const stored = await set('eth', external.ethereum.toLowerCase());
    assert.equal(stored.body.value, external.ethereum);
  });

  onSqlite('removing it takes effect immediately', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fixture.advance(25 * HOUR);
    await prefer({ 'auto-withdrawal-destination-btc': null });
    await fillWallets('btc', ['150000']);
    await mine(4);
    assert.deepEqual(await listWithdrawals(), []);
  });
});

describe('withdrawals with external signing', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { ...NO_DELAY, PAYLATCH_SECRET_KEY: 'ab'.repeat(32) }, simulatedKeys: false });
    await fixture.work();
  });
  afterEach(async () => {
    await assertWithdrawals(fixture.service().database);
    await fixture.close();
  });
  const {
    enableWithdrawals,
    fillWallets,
    mine,
    onlyWithdrawal,
    submit,
    received,
    listWithdrawals,
    fillGasWallet,
    getWithdrawal,
    prefer,
  } = withdrawalsOf(() => fixture);

  const seed = deriveSandboxSeed(Buffer.from('ab'.repeat(32), 'hex'));
  const keysOf = async (name: 'bitcoin' | 'ethereum') => await deriveAccount(seed, name, { isTest: true });
  const signBitcoin = async (psbt: string) => {
    const { publicKey: accountKey, privateKey } = await keysOf('bitcoin');
    return (await createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey }).sign(psbt)).raw;
  };
  const signEthereum = async (unsigned: string, path: string | null) => {
    const { publicKey: accountKey, privateKey } = await keysOf('ethereum');
    const [change, index] = (path ?? '').split('/').map(Number);
    const node = {} as never;
    const spender = createEthereumSpender({ network: simulatedEthereumNetwork, accountKey, privateKey, node });
    return (await spender.sign(unsigned, { chain: change === 1 ? 1 : 0, index: index ?? 0 })).raw;
  };

  test('a PSBT is returned; only its signed form is accepted and sent', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000', '250000']);
    await mine(2);
    const toSign = await onlyWithdrawal({ status: 'to_sign' });
    assert.equal(toSign.unsigned?.format, 'psbt');
    const psbt = toSign.unsigned?.data ?? '';
    const right = await signBitcoin(psbt);

    const other = Transaction.fromPSBT(base64.decode(psbt));
    const { script } = other.getOutput(0);
    assert.ok(script);
    const less = new Transaction();
    for (let input = 0; input < other.inputsLength; input += 1) less.addInput(other.getInput(input));
    less.addOutput({ script, amount: 1000n });
    const wrong = await signBitcoin(base64.encode(less.toPSBT(0)));
    const unsigned = Transaction.fromPSBT(base64.decode(psbt));
    const flipped = hex.decode(right);
    const [signature] = RawTx.decode(hex.decode(right)).witnesses?.[0] ?? [];
    assert.ok(signature);
    const place = right.indexOf(hex.encode(signature)) / 2 + 20;
    flipped[place] = (flipped[place] ?? 0) ^ 1;
    for (const [given, words] of [
      [wrong, /it pays 1000 instead of \d+/],
      [psbt, /not a signed transaction/],
      [hex.encode(unsigned.unsignedTx), /witness/],
      [hex.encode(flipped), /signature of input 0 does not match this transaction/],
      ['nonsense', /not a signed transaction/],
    ] as const) {
      const { status, body } = await submit(toSign, given);
      assert.deepEqual([status, body.errors?.[0]?.code], [422, 'transaction_mismatch'], given);
      assert.match(body.errors[0].detail, words);
    }
    assert.equal((await onlyWithdrawal()).status, 'to_sign');

    const submitted = await submit(toSign, right);
    assert.deepEqual([submitted.status, submitted.body.status, submitted.body.txHash], [200, 'sent', toSign.txHash]);
    assert.equal((await submit(toSign, right)).body.code, 'nothing_to_sign');
    await mine(2);
    assert.equal((await onlyWithdrawal()).status, 'confirmed');
    assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(toSign.amount ?? 0));
  });

  onSqlite('a signature that does not cover all inputs and outputs is refused', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const toSign = await onlyWithdrawal({ status: 'to_sign' });
    const psbt = toSign.unsigned?.data ?? '';
    const { privateKey } = await keysOf('bitcoin');
    const keyAt = createExternalKeys(parseAccountKey(privateKey, simulatedBitcoinNetwork));
    const signedWith = (sighash: SigHash) => {
      const transaction = Transaction.fromPSBT(base64.decode(psbt));
      for (let input = 0; input < transaction.inputsLength; input += 1) {
        const index = transaction.getInput(input).bip32Derivation?.[0]?.[1].path.at(-1) ?? -1;
        transaction.updateInput(input, { sighashType: sighash }, true);
        transaction.signIdx(keyAt(index).privateKey ?? new Uint8Array(), input, [sighash]);
      }
      transaction.finalize();
      return transaction.hex;
    };
    const { ALL, ...open } = SigHash;
    for (const [name, sighash] of Object.entries(open).filter(([each]) => each !== 'DEFAULT')) {
      const { status, body } = await submit(toSign, signedWith(sighash));
      assert.deepEqual([status, body.errors?.[0]?.code], [422, 'transaction_mismatch'], name);
      assert.match(body.errors[0].detail, /SIGHASH_ALL/);
    }
    // Nodes relay only strict DER (BIP 66): without a superfluous zero, and with the one that a high bit needs.
    const reencoded = Transaction.fromRaw(Buffer.from(signedWith(ALL), 'hex'));
    const [signature = new Uint8Array(), key = new Uint8Array()] = reencoded.getInput(0).finalScriptWitness ?? [];
    const [, length = 0, , lengthR = 0, firstR = 0] = signature;
    const der =
      firstR === 0
        ? [0x30, length - 1, 2, lengthR - 1, ...signature.subarray(5)]
        : [0x30, length + 1, 2, lengthR + 1, 0, ...signature.subarray(4)];
    reencoded.updateInput(0, { finalScriptWitness: [Uint8Array.from(der), key] }, true);
    assert.equal((await submit(toSign, reencoded.hex)).body.errors?.[0]?.code, 'transaction_mismatch');
    assert.equal((await onlyWithdrawal()).status, 'to_sign');
    assert.equal((await submit(toSign, signedWith(ALL))).body.status, 'sent');
  });

  onSqlite('an externally broadcast transaction is detected', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const raw = await signBitcoin((await onlyWithdrawal()).unsigned?.data ?? '');
    const bitcoin = fixture.service().simulatedChains.bitcoin;
    assert.deepEqual(await bitcoin?.broadcast(raw), { kind: 'sent' });
    await mine(2);
    await mine(1);
    assert.equal((await onlyWithdrawal()).status, 'confirmed');
  });

  onSqlite('gas funding and token transfer are signed in turn', async () => {
    await fillGasWallet(ETHER);
    await enableWithdrawals('usdt', external.ethereum);
    await fillWallets('usdt', ['25000000']);
    await mine(12, 'ethereum');
    const [token, gas] = await listWithdrawals();
    assert.deepEqual([token?.status, gas?.status, gas?.purpose], ['waiting', 'to_sign', 'gas']);
    const funding = await getWithdrawal({ id: gas?.id ?? '' });
    assert.deepEqual([funding.unsigned?.format, funding.unsigned?.path], ['eip1559', '1/0']);
    const signed = await signEthereum(funding.unsigned?.data ?? '', '1/0');
    const byAnother = await signEthereum(funding.unsigned?.data ?? '', '0/7');
    assert.match((await submit(funding, byAnother)).body.errors[0].detail, /signed with the key of 0x/);
    assert.equal((await submit(funding, signed)).body.status, 'sent');
    await mine(1, 'ethereum');
    const toSign = await getWithdrawal({ id: token?.id ?? '' });
    assert.equal(toSign.status, 'to_sign');
    assert.match((await submit(toSign, signed)).body.errors[0].detail, /it pays 0x/);
    const completed = await submit(
      toSign,
      await signEthereum(toSign.unsigned?.data ?? '', toSign.unsigned?.path ?? ''),
    );
    assert.equal(completed.body.status, 'sent');
    await mine(12, 'ethereum');
    await mine(1, 'ethereum');
    assert.equal((await getWithdrawal(toSign)).status, 'confirmed');
    assert.equal(await received('ethereum', external.ethereum, 'usdt'), 25_000_000n);
    await prefer({ 'auto-withdrawal': false });
  });
});
