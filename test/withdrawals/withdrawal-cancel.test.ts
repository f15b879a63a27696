// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { simulatedBitcoinNetwork, type SimulatedEthereum } from '../../src/chains/simulated/chain.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import type { Withdrawal } from '../../src/api/withdrawal.ts';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const KEY = 'ab'.repeat(32);
const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

describe('canceling a withdrawal with a signed transaction', () => {
  let fixture: Fixture;
  const open = async (env: Record<string, string> = {}, simulatedKeys = true) => {
    fixture = await openFixture({
      env: { PAYLATCH_SECRET_KEY: KEY, WITHDRAWAL_DESTINATION_DELAY_HOURS: '0', ...env },
      simulatedKeys,
    });
    await fixture.work();
  };
  const reopen = async (...settings: Parameters<typeof open>) => {
    await fixture.close();
    await open(...settings);
  };
  beforeEach(async () => await open());
  afterEach(async () => {
    const { database, invoices } = fixture.service();
    await assertWithdrawals(database);
    for (const connected of invoices.context.chains.all)
      assert.equal((await reconcile(database, connected)).unresolved, 0, connected.name);
    await fixture.close();
  });
  const wallets = withdrawalsOf(() => fixture);
  const { chain, create, pay, mine, get, list, review, prefer, onlyWithdrawal, received, setFee } = wallets;
  const { enableWithdrawals, fillWallets, listWithdrawals, requestWithdrawal, fillGasWallet, getWithdrawal } = wallets;

  const cancel = async (id: string) =>
    await fixture.request('/v1/withdrawal/cancel', { body: { id }, token: fixture.merchant.managerToken });
  async function cancelling({ id }: { id: string }): Promise<Withdrawal> {
    const { status, body, text } = await cancel(id);
    assert.equal(status, 200, text);
    assert.equal(body.cancelling, true);
    await fixture.work();
    return body;
  }
  async function walletsOf(code: string) {
    const { body } = await fixture.request(`/v1/wallets?per_page=100&code=${code}`);
    return body.wallets as any[];
  }
  const events = async (type: string) => {
    const { body } = await fixture.request('/v1/events?limit=100');
    return body.events.filter((event: any) => event.type === type);
  };
  const versionsOf = async () =>
    await db(fixture.service().database)
      .selectFrom('withdrawal_versions')
      .select(['raw', 'tx_hash', 'cancels', 'fee'])
      .orderBy('number')
      .execute();

  describe('coins', () => {
    /** A sweep of two wallets in the mempool. */
    async function sentSweep() {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000', '250000']);
      await mine(2);
      const sent = await onlyWithdrawal();
      assert.deepEqual([sent.status, sent.cancelling], ['sent', false]);
      // Keeps the returned coin at its wallet.
      await prefer({ 'auto-withdrawal': false });
      return sent;
    }

    test('return to a wallet less one fee, are credited once and can be withdrawn', async () => {
      const sent = await sentSweep();
      const [invoices, eventsBefore] = [await list(), await events('crypto.transaction.updated')];
      await cancelling(sent);
      const replaced = await onlyWithdrawal();
      assert.deepEqual([replaced.status, replaced.cancelling, replaced.txHashes.length], ['sent', true, 2]);
      assert.notEqual(replaced.txHash, sent.txHash);
      await mine(2);
      const over = await onlyWithdrawal();
      assert.deepEqual([over.status, over.cancelling, over.txHash], ['failed', false, replaced.txHash]);
      const paid = Number(over.feePaid) / 1e8;
      assert.equal(
        over.failure,
        `Canceled: the funds were returned to the wallet, less a fee of ${paid.toFixed(8).replace(/0+$/, '')} BTC.`,
      );
      assert.equal(await received('bitcoin', external.bitcoin, 'btc'), 0n);
      const [holding, ...none] = (await walletsOf('btc')).filter(({ balance }) => balance !== '0');
      assert.deepEqual([none, holding?.balance, holding?.parts.credited], [[], over.amount, over.amount]);
      assert.equal(BigInt(over.amount ?? 0) + BigInt(over.feePaid ?? 0), 400_000n);

      const summaryOf = ({ id, status, amount, labels, walletAddress }: CryptoTransaction) =>
        [id, status, amount, labels, walletAddress].flat();
      assert.deepEqual(
        (await list()).map(summaryOf),
        invoices.map(summaryOf),
        'the invoices are unchanged, and there is no other one',
      );
      assert.deepEqual(await events('crypto.transaction.updated'), eventsBefore);
      assert.deepEqual(
        (await events('crypto.withdrawal.updated'))
          .map((event: unknown) => webhookBodies['crypto.withdrawal.updated'].parse(event).data)
          .filter(({ cancelling: isCanceling }: Withdrawal) => isCanceling)
          .map((data: Withdrawal) => [data.status, data.confirmations]),
        [
          ['sent', 0],
          ['sent', 0],
          ['sent', 2],
        ],
      );

      const body2 = { code: 'btc', walletAddress: holding.walletAddress, source: 'credited' };
      const again = await requestWithdrawal({ ...body2, destination: external.bitcoin });
      assert.deepEqual([again.status, again.body.spent], [200, over.amount]);
      await mine(1);
      await mine(2);
      assert.equal((await getWithdrawal(again.body)).status, 'confirmed');
      assert.equal(
        await received('bitcoin', external.bitcoin, 'btc'),
        BigInt((await getWithdrawal(again.body)).amount ?? 0),
      );
      assert.equal(
        (await requestWithdrawal({ ...body2, destination: external.bitcoin })).body.code,
        'nothing_to_withdraw',
      );
    });

    test('are sent if the original is mined first: the withdrawal is confirmed', async () => {
      const sent = await sentSweep();
      assert.equal((await cancel(sent.id)).body.cancelling, true);
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).cancelling, (await onlyWithdrawal()).txHash], [false, sent.txHash]);
      const late = await cancel(sent.id);
      assert.deepEqual(
        [late.status, late.body.detail],
        [409, 'The withdrawal is sent, and its transaction is already in a block.'],
      );
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).failure], ['confirmed', null]);
      assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(sent.amount ?? 0));
    });

    test('follow a reorg of the cancellation back to the wallet, or to the destination', async () => {
      const sent = await sentSweep();
      await cancelling(sent);
      await mine(1);
      await mine(1);
      assert.equal((await onlyWithdrawal()).status, 'failed');
      await chain().reorg(2);
      await fixture.work();
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'failed');

      const [original, cancels] = await versionsOf();
      await chain().reorg(3, { drop: [cancels?.tx_hash ?? ''] });
      assert.deepEqual(await chain().broadcast(original?.raw ?? ''), { kind: 'sent' });
      await mine(1);
      assert.deepEqual(
        [(await onlyWithdrawal()).status, (await onlyWithdrawal()).cancelling, (await onlyWithdrawal()).failure],
        ['sent', false, null],
      );
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).txHash], ['confirmed', sent.txHash]);
      assert.equal(await received('bitcoin', external.bitcoin, 'btc'), BigInt(sent.amount ?? 0));
      const wallets = await walletsOf('btc');
      assert.ok(wallets.length > 0 && wallets.every(({ balance }) => balance === '0'));
    });

    test('a repeated cancellation counts once, and its fee exceeds each earlier one', async () => {
      const sent = await sentSweep();
      const [one, other] = await Promise.all([cancel(sent.id), cancel(sent.id)]);
      assert.deepEqual([one.status, one.body.cancelling, other.body.cancelling], [200, true, true]);
      await cancelling(sent);
      const versions = await versionsOf();
      assert.deepEqual(
        versions.map((version) => version.cancels),
        [0, 1],
      );
      await mine(2);
      assert.equal((await cancel(sent.id)).body.code, 'withdrawal_not_cancellable');
    });

    test('a smaller replacement still pays a higher total fee', async () => {
      await prefer({ 'wallet-rotate-amount-btc': '1' });
      await setFee('bitcoin', 1n);
      const user = await create({ type: 'user' });
      await pay(user, 300_000n);
      await mine(2);
      // Taproot: its output is 12 bytes longer than that of our wallets.
      const destination = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';
      const response = await requestWithdrawal({
        code: 'btc',
        walletAddress: user.walletAddress,
        source: 'credited',
        destination,
      });
      assert.equal(response.status, 200, response.text);
      await fixture.work();
      const sent = await onlyWithdrawal();
      assert.deepEqual([sent.status, sent.fee], ['sent', '122']);
      await cancelling(sent);
      const [, cancels] = await versionsOf();
      assert.deepEqual(
        [cancels?.fee, (await chain().findTransaction(cancels?.tx_hash ?? '', 0)).state],
        ['330', 'waiting'],
      );
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'failed');
    });

    test('is refused without effect if the operator’s limit does not allow a higher fee', async () => {
      await reopen({ WITHDRAWAL_MAX_FEE_RATES: 'bitcoin=5' });
      const sent = await sentSweep();
      const refusal = await cancel(sent.id);
      assert.deepEqual([refusal.status, refusal.body.code], [409, 'withdrawal_not_cancellable']);
      assert.equal(
        refusal.body.detail,
        'No transaction can cancel the withdrawal now. Replacing the sent transaction costs 6 sat/vB; the operator’s limit is 5 sat/vB.',
      );
      assert.deepEqual(await onlyWithdrawal(), sent);
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'confirmed');
    });

    test('an evicted cancellation is created again at the current fee rate', async () => {
      const sent = await sentSweep();
      await cancelling(sent);
      const { txHash } = await onlyWithdrawal();
      await chain().evict(txHash ?? '');
      await setFee('bitcoin', 40n);
      await mine(1);
      await mine(3);
      const over = await onlyWithdrawal();
      assert.equal(over.status, 'failed');
      assert.match(over.failure ?? '', /^Canceled/);
    });

    test('of a refund: the transaction is failed, and the deposit is rejected', async () => {
      const invoice = await create();
      await pay(invoice, 70_000n);
      await fixture.work();
      await review('reject', invoice, { refundAddress: external.bitcoin });
      await mine(2);
      const sent = await onlyWithdrawal();
      assert.deepEqual([sent.status, sent.purpose], ['sent', 'refund']);
      await cancelling(sent);
      await mine(1);
      assert.equal((await get(invoice)).status, 'refunding');
      await mine(1);
      assert.deepEqual([(await get(invoice)).status, (await get(invoice)).amount], ['failed', '70000']);
      const [holding] = await walletsOf('btc');
      assert.deepEqual(
        [holding.balance, holding.parts.rejected],
        [(await onlyWithdrawal()).amount, (await onlyWithdrawal()).amount],
      );
      await chain().reorg(3);
      await fixture.work();
      assert.equal((await get(invoice)).status, 'refunding');
      await mine(2);
      assert.equal((await get(invoice)).status, 'failed');
      await mine(1);
      const { walletAddress } = invoice;
      const body = { code: 'btc', walletAddress, source: 'rejected', destination: external.bitcoin };
      assert.equal((await requestWithdrawal(body)).status, 200);
      await fixture.work();
      await mine(2);
      assert.equal((await listWithdrawals()).at(-1)?.status, 'confirmed');
    });

    test('unattributed ones return as unattributed, without a review', async () => {
      await prefer({ 'wallet-rotate-amount-btc': '1' });
      const invoice = await create();
      await pay(invoice);
      await mine(3);
      await pay(invoice, 90_000n);
      await mine(2);
      const { walletAddress } = invoice;
      const body = { code: 'btc', walletAddress, source: 'unattributed', destination: external.bitcoin };
      const { id } = (await requestWithdrawal(body)).body;
      await mine(1);
      await cancelling({ id });
      await mine(2);
      assert.equal((await getWithdrawal({ id })).status, 'failed');
      assert.deepEqual(await list({ status: 'approved_required' }), []);
      const [holding] = await walletsOf('btc');
      assert.equal(holding.parts.unattributed, (await getWithdrawal({ id })).amount);
      assert.equal(holding.parts.credited, '150000');
      const again = await requestWithdrawal(body);
      assert.equal(again.body.spent, holding.parts.unattributed);
      await fixture.work();
      await mine(2);
      assert.equal((await getWithdrawal(again.body)).status, 'confirmed');
    });

    test('with external signing: the replacement is offered and accepted', async () => {
      await reopen({}, false);
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000', '250000']);
      await mine(2);
      const { publicKey: accountKey, privateKey } = await deriveAccount(
        deriveSandboxSeed(Buffer.from(KEY, 'hex')),
        'bitcoin',
        { isTest: true },
      );
      const spender = createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey });
      const sign = async () => (await spender.sign((await onlyWithdrawal()).unsigned?.data ?? '')).raw;
      assert.equal((await wallets.submit(await onlyWithdrawal(), await sign())).status, 200);
      await prefer({ 'auto-withdrawal': false });
      const sent = await onlyWithdrawal();
      assert.equal(sent.status, 'sent');
      await cancelling(sent);
      const toSign = await onlyWithdrawal();
      assert.deepEqual([toSign.status, toSign.cancelling, toSign.unsigned?.format], ['to_sign', true, 'psbt']);
      const [original] = await versionsOf();
      const wrong = await wallets.submit(sent, original?.raw ?? '');
      assert.deepEqual([wrong.status, wrong.body.errors[0].code], [422, 'transaction_mismatch']);
      const submitted = await wallets.submit(sent, await sign());
      assert.deepEqual([submitted.status, submitted.body.status, submitted.body.cancelling], [200, 'sent', true]);
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'failed');
    });
  });

  describe('of an account', () => {
    test('keeps its ether at the wallet, less one fee, and can withdraw it again', async () => {
      await prefer({ 'auto-withdrawal-destination-eth': external.ethereum });
      const user = await create({ code: 'eth', type: 'user', amount: '1' });
      await pay(user, ETHER);
      await mine(12, 'ethereum');
      const { walletAddress } = user;
      const body = { code: 'eth', walletAddress, source: 'credited', destination: external.ethereum };
      const { id } = (await requestWithdrawal(body)).body;
      await fixture.work();
      const sent = await getWithdrawal({ id });
      assert.equal(sent.status, 'sent');
      await cancelling(sent);
      const replaced = await getWithdrawal({ id });
      assert.deepEqual([replaced.status, replaced.txHashes.length, replaced.amount], ['sent', 2, '0']);
      assert.ok(Number(replaced.feeRate) >= Number(sent.feeRate) * 1.1);
      await mine(12, 'ethereum');
      const over = await getWithdrawal({ id });
      assert.equal(over.status, 'failed');
      assert.match(
        over.failure ?? '',
        /^Canceled: the funds stay in the wallet. The cancellation cost a fee of 0\.\d+ ETH\.$/,
      );
      assert.equal((await get(user)).amount, String(ETHER));
      assert.equal(await received('ethereum', external.ethereum, 'eth'), 0n);
      assert.equal((await walletsOf('eth'))[0].parts.credited, String(ETHER));

      const [original, cancels] = await versionsOf();
      await chain('ethereum').reorg(12, { drop: [cancels?.tx_hash ?? ''] });
      assert.deepEqual(await chain('ethereum').broadcast(original?.raw ?? ''), { kind: 'sent' });
      await fixture.work();
      await mine(12, 'ethereum');
      assert.equal((await getWithdrawal({ id })).status, 'confirmed');
      assert.equal(await received('ethereum', external.ethereum, 'eth'), BigInt(sent.amount ?? 0));
    });

    test('is refused if its fee would exceed the share of the withdrawal', async () => {
      await setFee('ethereum', 1n);
      await enableWithdrawals('eth', external.ethereum);
      await fillWallets('eth', ['2400000000000000']);
      await mine(12, 'ethereum');
      const sent = await onlyWithdrawal();
      assert.equal(sent.status, 'sent');
      await setFee('ethereum', 20n);
      assert.equal((await cancel(sent.id)).body.code, 'withdrawal_not_cancellable');
      assert.equal((await versionsOf()).length, 1);
    });

    test('sweeps canceled deposits again, once, with automatic withdrawals', async () => {
      await enableWithdrawals('eth', external.ethereum);
      await fillWallets('eth', [String(ETHER)]);
      await mine(12, 'ethereum');
      const sent = await onlyWithdrawal();
      assert.equal(sent.status, 'sent');
      await cancelling(sent);
      await mine(12, 'ethereum');
      assert.equal((await getWithdrawal(sent)).status, 'failed');
      await mine(12, 'ethereum');
      const [, again, ...others] = await listWithdrawals();
      assert.deepEqual([again?.status, again?.spent, others.length], ['confirmed', String(ETHER), 0]);
    });

    test('keeps its tokens; the gas for them is canceled only with them', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000']);
      await mine(12, 'ethereum');
      const gas = (await listWithdrawals()).find(({ purpose }) => purpose === 'gas');
      const refusal = await cancel(gas?.id ?? '');
      assert.equal(refusal.status, 409);
      assert.match(refusal.body.detail, /Cancel the withdrawal that needs the gas/);
      await mine(1, 'ethereum');
      const sweep = (await listWithdrawals()).find(({ purpose }) => purpose === 'sweep');
      assert.equal(sweep?.status, 'sent');
      await prefer({ 'auto-withdrawal': false });
      await cancelling(sweep ?? { id: '' });
      await mine(12, 'ethereum');
      const over = await getWithdrawal(sweep ?? { id: '' });
      assert.deepEqual([over.status, over.amount], ['failed', '0']);
      const [holding] = await walletsOf('usdt');
      assert.equal(holding.parts.credited, '90000000');
      const { walletAddress } = holding;
      const body = { code: 'usdt', walletAddress, source: 'credited', destination: external.ethereum };
      const again = (await requestWithdrawal(body)).body;
      for (const blocks of [1, 1, 1, 12]) await mine(blocks, 'ethereum');
      assert.equal((await getWithdrawal(again)).status, 'confirmed');
      assert.equal(await received('ethereum', external.ethereum, 'usdt'), 90_000_000n);
    });

    test('ends the gas funding of its tokens that has no transaction yet', async () => {
      const ethereum = chain('ethereum') as SimulatedEthereum;
      const gasWallet = await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000']);
      const { feeRate, nextNonce } = ethereum;
      let calls = 0;
      // The fee rises above the operator's limit after the gas was requested.
      ethereum.feeRate = async () =>
        await Promise.resolve({ unit: 'wei/gas', amount: calls++ === 0 ? 11n * GWEI : 501n * GWEI, priority: GWEI });
      await mine(12, 'ethereum');
      const [sweep, gas] = await listWithdrawals();
      assert.deepEqual([gas?.purpose, gas?.waitsFor?.reason], ['gas', 'fee_limit']);
      assert.equal((await cancel(sweep?.id ?? '')).body.status, 'failed');
      await prefer({ 'auto-withdrawal': false });
      await mine(1, 'ethereum');
      assert.equal((await getWithdrawal({ id: gas?.id ?? '' })).status, 'failed');

      ethereum.feeRate = feeRate;
      await prefer({ 'auto-withdrawal': true });
      for (const blocks of [1, 1]) await mine(blocks, 'ethereum');
      const next = (await listWithdrawals()).find(({ purpose, status }) => purpose === 'sweep' && status === 'sent');
      // The base fee rises above its cap, and the replacement needs more gas.
      await setFee('ethereum', 40n);
      ethereum.nextNonce = async (address) => (address === gasWallet ? 99 : await nextNonce.call(ethereum, address));
      await mine(15, 'ethereum');
      const waiting = (await listWithdrawals({ status: 'waiting' })).map(({ purpose }) => purpose);
      assert.deepEqual(waiting, ['gas']);
      await prefer({ 'auto-withdrawal': false });
      ethereum.nextNonce = nextNonce;
      await cancelling(next ?? { id: '' });
      await fixture.advance(MINUTE);
      const canceled = (await listWithdrawals()).slice(2).map(({ purpose, status }) => [purpose, status]);
      assert.deepEqual(canceled, [
        ['sweep', 'sent'],
        ['gas', 'confirmed'],
        ['gas', 'failed'],
      ]);
      await mine(12, 'ethereum');
      assert.equal((await getWithdrawal(next ?? { id: '' })).status, 'failed');
    });

    test('of a refund: the failed transaction can be refunded to another address', async () => {
      const invoice = await create({ code: 'eth', amount: String(ETHER) });
      await pay(invoice, ETHER / 2n);
      await mine(1, 'ethereum');
      const rejection = await review('reject', invoice, { refundAddress: external.ethereum });
      assert.equal(rejection.status, 200, rejection.text);
      await mine(12, 'ethereum');
      const sent = await onlyWithdrawal();
      assert.equal(sent.status, 'sent');
      await cancelling(sent);
      await mine(12, 'ethereum');
      assert.deepEqual([(await onlyWithdrawal()).status, (await get(invoice)).status], ['failed', 'failed']);
      const again = await review('reject', invoice, { refundAddress: external.ethereum });
      assert.deepEqual([again.status, again.body.status], [200, 'refunding']);
      for (const blocks of [1, 12]) await mine(blocks, 'ethereum');
      assert.deepEqual(
        (await listWithdrawals()).map(({ status }) => status),
        ['failed', 'confirmed'],
      );
      assert.equal((await get(invoice)).status, 'refunded');
    });
  });
});
