import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { ChainError } from '../../src/chains/port.ts';
import { TransferWouldFail, type UtxoSpender } from '../../src/chains/spender.ts';
import { createEthereumSpender } from '../../src/chains/ethereum/spender.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import {
  simulatedBitcoinNetwork,
  simulatedEthereumNetwork,
  type SimulatedEthereum,
} from '../../src/chains/simulated/chain.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';
import { webhookBodies } from '../../src/api/webhook-events.ts';
import { DAY, MINUTE } from '../../src/shared/time.ts';
import { onSqlite } from '../support/databases.ts';
import { OutsideWallet } from '../support/outside-wallet.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const KEY = 'ab'.repeat(32);
const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

describe('withdrawals when fees, nodes and keys misbehave', () => {
  let fixture: Fixture;
  let usedOutside: string[] = [];
  const open = async (env: Record<string, string> = {}, simulatedKeys = true) => {
    await fixture?.close();
    fixture = await openFixture({ env: { PAYLATCH_SECRET_KEY: KEY, ...env }, simulatedKeys });
    await fixture.work();
  };
  beforeEach(async () => {
    fixture = await openFixture({ env: { PAYLATCH_SECRET_KEY: KEY } });
    await fixture.work();
  });
  afterEach(async () => {
    await assertWithdrawals(fixture.service().database);
    await fixture.close({ usedOutside });
    usedOutside = [];
  });
  const wallets = withdrawalsOf(() => fixture);
  const { chain, create, pay, mine, get, prefer, enableWithdrawals, fillWallets, onlyWithdrawal, received, setFee } =
    wallets;
  const { listWithdrawals, requestWithdrawal, fillGasWallet, getWithdrawal, list, review } = wallets;

  const cancel = async (id: string, token = fixture.merchant.managerToken) =>
    await fixture.request('/v1/withdrawal/cancel', { body: { id }, token });

  const keysOf = async (name: 'bitcoin' | 'ethereum') =>
    await deriveAccount(deriveSandboxSeed(Buffer.from(KEY, 'hex')), name, { isTest: true });

  /** Another wallet with the same keys spends a deposit to an external address. */
  async function spendElsewhere(address: string, { feeRate = 5n }: { feeRate?: bigint } = {}): Promise<void> {
    const { publicKey: accountKey, privateKey } = await keysOf('bitcoin');
    const spender: UtxoSpender = createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey });
    const rows = await db(fixture.service().database)
      .selectFrom('deposits as deposit')
      .innerJoin('wallets', 'wallets.id', 'deposit.wallet_id')
      .select(['deposit.payment_key', 'deposit.amount', 'wallets.derivation_index'])
      .where('wallets.address', '=', address)
      .execute();
    const outputs = rows.map((row) => ({
      ...{ paymentKey: row.payment_key, amount: BigInt(row.amount), index: row.derivation_index },
    }));
    const built = spender.build({ outputs, destination: otherExternal.bitcoin, feeRate });
    assert.ok(built.kind === 'built');
    const { raw } = await spender.sign(built.data);
    assert.deepEqual(await chain().broadcast(raw), { kind: 'sent' });
  }

  const writtenOff = async (id: string) => (await get({ id })).payments.map((payment) => payment.writtenOffAt !== null);
  const balanceOf = async (address: string) => {
    const { body } = await fixture.request('/v1/wallets?per_page=100');
    return body.wallets.find((each: any) => each.walletAddress === address).balance;
  };
  /** Write-off state of the deposit in each event of its transaction. */
  const bodyOf = (event: any) => webhookBodies[event.type as 'crypto.transaction.updated'].parse(event);
  const reportedOf = async (id: string) => {
    const { body } = await fixture.request('/v1/events?limit=100');
    return body.events
      .filter((event: any) => event.data.id === id && event.data.payments.length > 0)
      .map((event: any) => bodyOf(event).data.payments[0]?.writtenOffAt !== null);
  };

  describe('fees', () => {
    onSqlite('an implausible fee rate is never paid; the withdrawal waits with a reason', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      const bitcoin = chain();
      const { feeRate } = bitcoin;
      bitcoin.feeRate = async () =>
        await Promise.resolve({ unit: 'sat/vB', amount: 100n, disagreement: 'one says 100, another 2' });
      await mine(2);
      const waiting = await onlyWithdrawal();
      assert.deepEqual([waiting.status, waiting.waitsFor?.reason], ['waiting', 'fee_estimate']);
      assert.match(waiting.waitsFor?.detail ?? '', /disagree: one says 100, another 2/);
      bitcoin.feeRate = feeRate;
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).feeRate], ['sent', '5']);
    });

    onSqlite(
      'a sweep that waits is canceled when its destination is removed, and planned again with another',
      async () => {
        await open({ WITHDRAWAL_MAX_FEE_RATES: 'bitcoin=30' });
        await enableWithdrawals('btc', external.bitcoin);
        await fillWallets('btc', ['500000']);
        await setFee('bitcoin', 31n);
        await mine(2);
        assert.equal((await onlyWithdrawal()).waitsFor?.reason, 'fee_limit');
        await prefer({ 'auto-withdrawal-destination-btc': null });
        await setFee('bitcoin', 5n);
        await mine(3);
        assert.equal(await received('bitcoin', external.bitcoin, 'btc'), 0n);
        assert.equal((await onlyWithdrawal()).status, 'failed');
        await prefer({ 'auto-withdrawal-destination-btc': otherExternal.bitcoin });
        await mine(3);
        const [, next] = await listWithdrawals();
        assert.deepEqual([next?.destination, next?.spent], [otherExternal.bitcoin, '500000']);
      },
    );

    onSqlite('a waiting sweep ends when automatic withdrawals are turned off', async () => {
      await open({ WITHDRAWAL_MAX_FEE_RATES: 'bitcoin=30' });
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      await setFee('bitcoin', 31n);
      await mine(2);
      assert.equal((await onlyWithdrawal()).waitsFor?.reason, 'fee_limit');
      await prefer({ 'auto-withdrawal': false });
      await setFee('bitcoin', 5n);
      await mine(1);
      const { status, failure } = await onlyWithdrawal();
      assert.deepEqual([status, failure], ['failed', 'Canceled before it was sent.']);
      await mine(3);
      assert.equal(await received('bitcoin', external.bitcoin, 'btc'), 0n);
      await prefer({ 'auto-withdrawal': true });
      await mine(1);
      const [, next] = await listWithdrawals();
      assert.deepEqual([next?.purpose, next?.spent], ['sweep', '500000']);
    });

    onSqlite(
      'the operator’s fee limit applies to all withdrawals; a lower merchant limit takes precedence',
      async () => {
        await open({ WITHDRAWAL_MAX_FEE_RATES: 'bitcoin=30' });
        await enableWithdrawals('btc', external.bitcoin);
        await prefer({ 'wallet-rotate-amount-btc': '1' });
        const user = await create({ type: 'user' });
        await setFee('bitcoin', 31n);
        await pay(user, 500_000n);
        await mine(2);
        const sweep = await onlyWithdrawal();
        assert.deepEqual(
          [sweep.waitsFor?.reason, sweep.waitsFor?.feeNow, sweep.waitsFor?.limit],
          ['fee_limit', '31', '30'],
        );
        // Below the rotation amount: not swept.
        await prefer({ 'wallet-rotate-amount-btc': '1000000' });
        await pay(user, 300_000n);
        await mine(2);
        const body = {
          code: 'btc',
          walletAddress: user.walletAddress,
          source: 'credited',
          destination: external.bitcoin,
        };
        assert.equal((await requestWithdrawal(body)).status, 200);
        await mine(1);
        const [, manual] = await listWithdrawals();
        assert.deepEqual([manual?.purpose, manual?.waitsFor?.reason], ['manual', 'fee_limit']);
        await prefer({ 'max-fee-limit-auto-withdrawal-btc': 20 });
        await setFee('bitcoin', 25n);
        await mine(1);
        const [stillWaiting, sent] = await listWithdrawals();
        assert.deepEqual([stillWaiting?.waitsFor?.limit, sent?.status, sent?.feeRate], ['20', 'sent', '25']);
      },
    );

    onSqlite('no more than a share of the amount is paid', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['20000']);
      await setFee('bitcoin', 50n);
      await mine(2);
      const waiting = await onlyWithdrawal();
      assert.equal(waiting.waitsFor?.reason, 'amount_too_small');
      assert.match(waiting.waitsFor?.detail ?? '', /exceeds 25% of the amount of 20000/);
      await setFee('bitcoin', 40n);
      await mine(1);
      const { status, fee } = await onlyWithdrawal();
      assert.equal(status, 'sent');
      assert.ok(BigInt(fee ?? 0) * 4n <= 20_000n);
    });

    onSqlite('a high cap costs only the block’s fee; the unspent part goes with the next sweep', async () => {
      await enableWithdrawals('eth', external.ethereum);
      await prefer({ 'wallet-rotate-amount-eth': '1' });
      const user = await create({ code: 'eth', type: 'user', amount: '1' });
      await pay(user, ETHER);
      await mine(12, 'ethereum');
      // Signed at a base fee of 10 gwei, mined at 1 gwei.
      await setFee('ethereum', 2n);
      await mine(12, 'ethereum');
      const first = await onlyWithdrawal();
      assert.equal(first.status, 'confirmed');
      assert.equal(first.feePaid, String(21_000n * 2n * GWEI));
      const unspentFee = BigInt(first.fee ?? 0) - BigInt(first.feePaid ?? 0);
      assert.ok(unspentFee > 0n);
      const tip = await chain('ethereum').tip();
      const balances = await chain('ethereum').balances('eth', [user.walletAddress], tip);
      assert.equal(balances?.get(user.walletAddress), unspentFee);
      assert.equal((await get(user)).amount, String(ETHER), 'the unspent fee is not a deposit');
      await pay(user, 2n * ETHER);
      await mine(12, 'ethereum');
      await mine(12, 'ethereum');
      const [, second] = await listWithdrawals();
      assert.equal(BigInt(second?.amount ?? 0) + BigInt(second?.fee ?? 0), 2n * ETHER + unspentFee);
      assert.equal((await get(user)).amount, String(3n * ETHER));
    });
  });

  describe('refusals', () => {
    test('a transaction refused for its fee is replaced at a higher current rate', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      await mine(2);
      const first = await onlyWithdrawal();
      const bitcoin = chain();
      const { broadcast } = bitcoin;
      await bitcoin.evict(first.txHash ?? '');
      // The minimum rate of a full mempool is above the rate of the first version.
      bitcoin.broadcast = async (raw) =>
        raw === (await rawOf(1))
          ? { kind: 'refused', reason: 'mempool min fee not met', cause: 'fee' }
          : await broadcast(raw);
      await setFee('bitcoin', 30n);
      await mine(1);
      const again = await onlyWithdrawal();
      assert.deepEqual([again.status, again.feeRate, again.txHashes.length], ['sent', '30', 2]);
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'confirmed');
    });

    onSqlite('a transaction that no node accepted is replaced at a lower rate', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['5000000']);
      await setFee('bitcoin', 400n);
      const bitcoin = chain();
      const { broadcast } = bitcoin;
      bitcoin.broadcast = async () =>
        await Promise.resolve({ kind: 'refused', reason: 'Fee exceeds maximum configured', cause: 'fee' });
      await mine(2);
      const refusal = await onlyWithdrawal();
      assert.deepEqual([refusal.status, refusal.waitsFor?.reason, refusal.txHashes.length], ['waiting', 'rejected', 1]);
      bitcoin.broadcast = async (raw) =>
        raw === (await rawOf(1))
          ? { kind: 'refused', reason: 'Fee exceeds maximum configured', cause: 'fee' }
          : await broadcast(raw);
      await setFee('bitcoin', 5n);
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).feeRate], ['sent', '5']);
    });

    onSqlite('refused while its replacement awaits an external signature: no other version is created', async () => {
      await open({}, false);
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      await mine(2);
      await submitSigned();
      const bitcoin = chain();
      const { broadcast } = bitcoin;
      await bitcoin.evict((await onlyWithdrawal()).txHash ?? '');
      bitcoin.broadcast = async (raw) =>
        raw === (await rawOf(1))
          ? { kind: 'refused', reason: 'mempool min fee not met', cause: 'fee' }
          : await broadcast(raw);
      await setFee('bitcoin', 30n);
      for (const blocks of [1, 1, 1]) await mine(blocks);
      const again = await onlyWithdrawal();
      assert.deepEqual([again.status, again.feeRate, again.txHashes.length], ['to_sign', '30', 2]);
      await submitSigned();
      await mine(2);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).txHashes.length], ['confirmed', 2]);
    });

    onSqlite('resent while its replacement awaits an external signature: it can still be signed', async () => {
      await open({}, false);
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      await mine(2);
      const bitcoin = chain();
      const { broadcast, findTransaction } = bitcoin;
      // In the mempool, but not mined.
      bitcoin.broadcast = async () => await Promise.resolve({ kind: 'sent' });
      bitcoin.findTransaction = async (txHash) => ({ state: (await hashOf(1)) === txHash ? 'waiting' : 'unknown' });
      await submitSigned();
      await setFee('bitcoin', 30n);
      await mine(6);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).txHashes.length], ['to_sign', 2]);
      // Dropped, and accepted again.
      bitcoin.findTransaction = async () => await Promise.resolve({ state: 'unknown' });
      await mine(1);
      const still = await onlyWithdrawal();
      assert.deepEqual([still.status, still.unsigned !== null], ['to_sign', true]);
      bitcoin.broadcast = broadcast;
      bitcoin.findTransaction = findTransaction;
      await submitSigned();
      await mine(2);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).feeRate], ['confirmed', '30']);
    });

    onSqlite('a replacement that the node refuses gets a higher fee later', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      const bitcoin = chain();
      const { broadcast, findTransaction } = bitcoin;
      bitcoin.broadcast = async (raw) =>
        raw === (await rawOf(2))
          ? { kind: 'refused', reason: 'insufficient fee, rejecting replacement', cause: 'fee' }
          : { kind: 'sent' };
      const isRefused = async (txHash: string) => (await hashOf(2)) === txHash;
      bitcoin.findTransaction = async (txHash) => ({ state: (await isRefused(txHash)) ? 'unknown' : 'waiting' });
      await mine(2);
      await setFee('bitcoin', 10n);
      await mine(6);
      assert.equal((await onlyWithdrawal()).txHashes.length, 2);
      await mine(5);
      assert.equal((await onlyWithdrawal()).txHashes.length, 2, 'replaced only once');
      await mine(1);
      const { txHashes, feeRate } = await onlyWithdrawal();
      assert.deepEqual([txHashes.length, Number(feeRate) > 10], [3, true]);
      bitcoin.broadcast = broadcast;
      bitcoin.findTransaction = findTransaction;
      await mine(1);
      await mine(2);
      assert.equal((await onlyWithdrawal()).status, 'confirmed');
    });

    onSqlite('a mined transaction is found although the node cannot search for its replacement', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      const bitcoin = chain();
      const { broadcast, findTransaction } = bitcoin;
      bitcoin.broadcast = async () => await Promise.resolve({ kind: 'sent' });
      bitcoin.findTransaction = async () => await Promise.resolve({ state: 'waiting' });
      await mine(2);
      await setFee('bitcoin', 10n);
      await mine(6);
      assert.equal((await onlyWithdrawal()).txHashes.length, 2);
      await broadcast((await rawOf(1)) ?? '');
      // The blocks in which the replacement could be are pruned.
      bitcoin.findTransaction = async (txHash, ...since) => {
        if (txHash === (await hashOf(2))) throw new ChainError('behind', 'The node has pruned a block.');
        return await findTransaction(txHash, ...since);
      };
      await mine(1);
      await mine(2);
      const { status, txHash } = await onlyWithdrawal();
      assert.deepEqual([status, txHash], ['confirmed', await hashOf(1)]);
    });

    onSqlite('a base fee that rises between signing and sending blocks neither sweep nor gas wallet', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['900000000']);
      const ethereum = chain('ethereum');
      const { broadcast } = ethereum;
      const refusedOnce = new Set<string>();
      ethereum.broadcast = async (raw) => {
        if (refusedOnce.size >= 1) return await broadcast(raw);
        refusedOnce.add(raw);
        await setFee('ethereum', 60n);
        return { kind: 'refused', reason: 'max fee per gas less than block base fee', cause: 'fee' };
      };
      await mine(12, 'ethereum');
      await fixture.advance(MINUTE);
      const [, gas] = await listWithdrawals();
      assert.deepEqual([gas?.purpose, gas?.status, gas?.feeRate, gas?.txHashes.length], ['gas', 'sent', '89.5', 2]);
      // The fee of the token transfer rose as well: the missing gas is funded.
      for (const blocks of [1, 1, 13, 13, 13]) await mine(blocks, 'ethereum');
      assert.deepEqual(
        (await listWithdrawals()).map(({ status, purpose }) => `${purpose} ${status}`),
        ['sweep confirmed', 'gas confirmed', 'gas confirmed'],
      );
    });
  });

  describe('deposits spent outside the service', () => {
    test('a coin spent outside the service is written off with an event; the sweep continues', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['500000']);
      const [gone] = await list();
      assert.ok(gone);
      await fillWallets('btc', ['400000']);
      const bitcoin = chain();
      const { broadcast } = bitcoin;
      await mine(1);
      // Spent while the sweep is being sent to the node.
      bitcoin.broadcast = async (raw) => {
        bitcoin.broadcast = broadcast;
        await spendElsewhere(gone.walletAddress);
        await bitcoin.mine(1);
        return await broadcast(raw);
      };
      await mine(1);
      await mine(1);
      await mine(2);
      const swept = await onlyWithdrawal();
      assert.deepEqual([swept.status, swept.spent, swept.wallets.length], ['confirmed', '400000', 1]);
      assert.equal(await balanceOf(gone.walletAddress), '0');
      const { status, amount } = await get(gone);
      assert.deepEqual([status, amount, await writtenOff(gone.id)], ['complete', '500000', [true]]);
      assert.deepEqual(await reportedOf(gone.id), [false, false, false, true]);
      assert.match(fixture.log(), /deposit written off/);
      assert.match(
        (await fixture.request('/metrics', { token: null })).text,
        /written_off_deposits_total\{chain="bitcoin"\} 1/,
      );
    });

    onSqlite('also while a signature is awaited', async () => {
      await open({}, false);
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['420000']);
      const [gone] = await list();
      assert.ok(gone);
      await fillWallets('btc', ['430000']);
      await mine(2);
      assert.deepEqual([(await onlyWithdrawal()).status, (await onlyWithdrawal()).spent], ['to_sign', '850000']);
      await spendElsewhere(gone.walletAddress);
      await mine(1);
      await mine(1);
      const rebuilt = await onlyWithdrawal();
      assert.deepEqual([rebuilt.status, rebuilt.spent, rebuilt.amount], ['to_sign', '430000', '429450']);
      assert.deepEqual(await writtenOff(gone.id), [true]);
    });

    test('a reorg that undoes the spending restores the deposit', async () => {
      await fillWallets('btc', ['500000']);
      const [gone] = await list();
      assert.ok(gone);
      await mine(2);
      await spendElsewhere(gone.walletAddress);
      await mine(1);
      await enableWithdrawals('btc', external.bitcoin);
      await fixture.advance(MINUTE);
      const failed = await onlyWithdrawal();
      assert.deepEqual([failed.status, await balanceOf(gone.walletAddress)], ['failed', '0']);
      assert.match(failed.failure ?? '', /did not create/);
      const spending = await db(fixture.service().database)
        .selectFrom('simulated_transactions')
        .select('tx_hash')
        .where('is_signed', '=', 1)
        .executeTakeFirstOrThrow();
      await chain().reorg(1, { drop: [spending.tx_hash] });
      await fixture.work();
      await fixture.advance(MINUTE);
      assert.deepEqual(await writtenOff(gone.id), [false]);
      assert.deepEqual((await reportedOf(gone.id)).slice(-2), [true, false]);
      await mine(1);
      await mine(2);
      const [, swept] = await listWithdrawals();
      assert.deepEqual([swept?.status, swept?.spent], ['confirmed', '500000']);
    });

    onSqlite('another transaction in the mempool is not outbid', async () => {
      await fillWallets('btc', ['500000']);
      const [gone] = await list();
      assert.ok(gone);
      await mine(2);
      await spendElsewhere(gone.walletAddress);
      await enableWithdrawals('btc', external.bitcoin);
      await fixture.advance(MINUTE);
      const waiting = await onlyWithdrawal();
      assert.deepEqual([waiting.status, waiting.txHashes, waiting.waitsFor?.reason], ['waiting', [], 'queued']);
      assert.match(waiting.waitsFor?.detail ?? '', /Another transaction/);
    });

    onSqlite('missing tokens are never covered by other deposits', async () => {
      await fillGasWallet(ETHER);
      await prefer({ 'wallet-rotate-amount-usdt': '1000000000' });
      const shared = await create({ code: 'usdt', type: 'user', amount: '1' });
      await pay(shared, 40_000_000n);
      await pay(shared, 15_000_000n);
      await mine(12, 'ethereum');
      // Sent with the same keys outside the service: the smaller amount and its gas.
      usedOutside.push(shared.walletAddress);
      const { publicKey: accountKey, privateKey } = await keysOf('ethereum');
      const ethereum = fixture.service().simulatedChains.ethereum;
      assert.ok(ethereum);
      await ethereum.pay({ address: shared.walletAddress, code: 'eth', amount: ETHER / 100n });
      await ethereum.mine(1);
      const spender = createEthereumSpender({
        ...{ network: simulatedEthereumNetwork, accountKey, privateKey, node: ethereum as never },
      });
      const index = await db(fixture.service().database)
        .selectFrom('wallets')
        .select('derivation_index')
        .where('address', '=', shared.walletAddress)
        .executeTakeFirstOrThrow();
      const built = spender.buildTokenTransfer({
        ...{ nonce: 0, feeRate: 20n * GWEI, priorityFee: GWEI, gasLimit: 100_000n, code: 'usdt', amount: 15_000_000n },
        to: otherExternal.ethereum,
      });
      assert.ok(built.kind === 'built');
      const { raw } = await spender.sign(built.data, { chain: 0, index: index.derivation_index });
      assert.deepEqual(await ethereum.broadcast(raw), { kind: 'sent' });
      const body = { code: 'usdt', walletAddress: shared.walletAddress, destination: external.ethereum };
      await ethereum.mine(1);
      assert.equal((await requestWithdrawal({ ...body, source: 'credited' })).status, 200);
      await fixture.work();
      // The spending transaction is not final yet.
      const [waiting] = await listWithdrawals();
      assert.match(waiting?.waitsFor?.detail ?? '', /are not final/);
      for (const blocks of [13, 1, 13, 1, 13]) await mine(blocks, 'ethereum');
      const [sent] = (await listWithdrawals()).filter(({ purpose }) => purpose === 'manual');
      assert.deepEqual(
        [sent?.status, sent?.spent, sent?.amount, sent?.writtenOff],
        [...['confirmed', '55000000', '40000000', '15000000']],
      );
      assert.equal(await received('ethereum', external.ethereum, 'usdt'), 40_000_000n);
    });
  });

  describe('ether of other deposits spent outside the service', () => {
    /** Withdraws tokens from a wallet whose ether, in review, was spent with the same keys. */
    async function withdrawFromEmptied(): Promise<string> {
      await fillGasWallet(ETHER);
      await prefer({ 'wallet-rotate-amount-usdt': '1000000000' });
      const user = await create({ code: 'usdt', type: 'user', amount: '1' });
      const { walletAddress: address } = user;
      await pay(user, 40_000_000n);
      await chain('ethereum').pay({ address, code: 'eth', amount: ETHER });
      await mine(12, 'ethereum');
      usedOutside.push(address);
      const { derivation_index: index } = await db(fixture.service().database)
        .selectFrom('wallets')
        .select('derivation_index')
        .where('address', '=', address)
        .executeTakeFirstOrThrow();
      const outside = new OutsideWallet(() => fixture, KEY);
      assert.ok(await outside.sendFrom({ address, index }, 'eth', { isAll: true, replaces: false }));
      await mine(13, 'ethereum');
      const body = { code: 'usdt', walletAddress: address, source: 'credited', destination: external.ethereum };
      const { id } = (await requestWithdrawal(body)).body;
      for (const blocks of [1, 13, 1]) await mine(blocks, 'ethereum');
      return id;
    }
    const ended = async () => (await listWithdrawals()).map(({ purpose, status }) => `${purpose} ${status}`);

    test('gas funding pays for the tokens, and does not replace it', async () => {
      await withdrawFromEmptied();
      await mine(13, 'ethereum');
      assert.deepEqual(await ended(), ['manual confirmed', 'gas confirmed']);
      assert.equal(await received('ethereum', external.ethereum, 'usdt'), 40_000_000n);
    });

    onSqlite('gas funding also pays for a cancellation', async () => {
      const id = await withdrawFromEmptied();
      assert.equal((await getWithdrawal({ id })).status, 'sent');
      assert.equal((await cancel(id)).status, 200);
      await fixture.work();
      await mine(13, 'ethereum');
      assert.deepEqual(await ended(), ['manual failed', 'gas confirmed']);
    });
  });

  describe('inputs and their costs', () => {
    onSqlite('uneconomic coins stay at their wallets, unassigned', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await prefer({ 'wallet-rotate-amount-btc': '400000' });
      await setFee('bitcoin', 50n);
      const user = await create({ type: 'user', amount: '1000' });
      await pay(user, 400_000n);
      for (let index = 0; index < 20; index += 1) await pay(user, 3000n);
      await mine(2);
      const swept = await onlyWithdrawal();
      assert.deepEqual([swept.status, swept.spent, swept.fee], ['sent', '400000', String(110n * 50n)]);
      await setFee('bitcoin', 2n);
      const body = {
        code: 'btc',
        walletAddress: user.walletAddress,
        source: 'credited',
        destination: external.bitcoin,
      };
      assert.equal((await requestWithdrawal(body)).body.spent, '60000');
      await mine(1);
    });

    onSqlite('coins that became uneconomic after planning are released', async () => {
      await enableWithdrawals('btc', external.bitcoin);
      await prefer({ 'wallet-rotate-amount-btc': '1', 'max-fee-limit-auto-withdrawal-btc': 1 });
      const user = await create({ type: 'user', amount: '1000' });
      await pay(user, 400_000n);
      await pay(user, 3000n);
      await mine(2);
      assert.deepEqual(
        [(await onlyWithdrawal()).spent, (await onlyWithdrawal()).waitsFor?.reason],
        ['403000', 'fee_limit'],
      );
      await setFee('bitcoin', 50n);
      await prefer({ 'max-fee-limit-auto-withdrawal-btc': 60 });
      await mine(1);
      assert.deepEqual([(await onlyWithdrawal()).spent, (await onlyWithdrawal()).status], ['400000', 'sent']);
    });

    for (const purpose of ['sweep', 'refund'] as const)
      onSqlite(`a ${purpose} ends when its deposits are dropped before its first transaction`, async () => {
        await open({ WITHDRAWAL_MAX_FEE_RATES: 'ethereum=30' });
        await prefer({ 'min-confirmation-eth': 1, 'wallet-rotate-amount-eth': '1' });
        if (purpose === 'sweep') await enableWithdrawals('eth', external.ethereum);
        const invoice = await create({ code: 'eth', amount: String(ETHER) });
        await setFee('ethereum', 40n);
        const txHash = await pay(invoice, purpose === 'sweep' ? ETHER : ETHER / 2n);
        await mine(1, 'ethereum');
        if (purpose === 'refund')
          assert.equal((await review('reject', invoice, { refundAddress: external.ethereum })).status, 200);
        await fixture.work();
        await mine(1, 'ethereum');
        assert.equal((await onlyWithdrawal()).waitsFor?.reason, 'fee_limit');
        await chain('ethereum').reorg(2, { drop: [txHash] });
        await setFee('ethereum', 5n);
        await mine(13, 'ethereum');
        await fixture.advance(MINUTE);
        const { status, failure } = await onlyWithdrawal();
        assert.deepEqual([status, failure], ['failed', 'Its deposits were dropped, or their review has changed.']);
      });

    onSqlite('tokens worth less than their gas wait at no cost', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['1']);
      await mine(12, 'ethereum');
      await mine(1, 'ethereum');
      const waiting = await onlyWithdrawal();
      assert.deepEqual([waiting.status, waiting.waitsFor?.reason], ['waiting', 'amount_too_small']);
      await prefer({ 'auto-withdrawal-destination-usdt': otherExternal.ethereum });
      await fixture.advance(DAY);
      assert.equal((await onlyWithdrawal()).destination, otherExternal.ethereum);
    });

    onSqlite('tokens worth less than their gas are checked once a minute, after the other withdrawals', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await enableWithdrawals('eth', external.ethereum);
      await fillWallets('usdt', ['1']);
      await mine(12, 'ethereum');
      await mine(1, 'ethereum');
      const waiting = await onlyWithdrawal();
      assert.equal(waiting.waitsFor?.reason, 'amount_too_small');
      const ethereum = chain('ethereum') as SimulatedEthereum;
      const { nextNonce } = ethereum;
      const checked: string[] = [];
      ethereum.nextNonce = async (address) => {
        checked.push(address);
        // Coins wait for a transaction in the mempool.
        return (await nextNonce(address)) + (checked[0] === address ? 0 : 1);
      };
      for (const fee of [40n, 41n, 42n]) {
        await setFee('ethereum', fee);
        await mine(1, 'ethereum');
      }
      assert.deepEqual(checked, []);
      await fixture.advance(MINUTE);
      assert.equal(checked.length, 1);
      // Its higher fee alone is not recorded.
      assert.deepEqual(await onlyWithdrawal(), waiting);

      await fillWallets('eth', [String(ETHER)]);
      await mine(11, 'ethereum');
      await mine(1, 'ethereum');
      const [, coins] = await listWithdrawals();
      assert.deepEqual([coins?.code, coins?.waitsFor?.reason], ['eth', 'queued']);
      const [address] = checked.splice(1);
      assert.notEqual(address, checked[0]);
      await fixture.advance(MINUTE);
      assert.deepEqual(checked.slice(1), [address, checked[0]]);
    });

    onSqlite('a replacement of a token transfer is not created if its own fee exceeds the share', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000']);
      await mine(12, 'ethereum');
      await mine(1, 'ethereum');
      // The base fee rises above its cap.
      await setFee('ethereum', 80n);
      await mine(15, 'ethereum');
      const sweep = (await listWithdrawals()).find(({ purpose }) => purpose === 'sweep');
      const { txHashes, waitsFor } = await getWithdrawal({ id: sweep?.id ?? '' });
      assert.deepEqual([txHashes.length, waitsFor?.reason], [1, 'amount_too_small']);
    });

    onSqlite('a token transfer that no node accepted is sent at the network’s fee', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000']);
      const ethereum = chain('ethereum');
      const { broadcast } = ethereum;
      let refusals = 0;
      ethereum.broadcast = async (raw) => {
        const sweep = (await listWithdrawals()).find(({ purpose }) => purpose === 'sweep');
        if (refusals > 0 || (sweep?.txHashes.length ?? 0) === 0) return await broadcast(raw);
        refusals += 1;
        await setFee('ethereum', 80n);
        return { kind: 'refused', reason: 'max fee per gas less than block base fee', cause: 'fee' };
      };
      for (const blocks of [12, 1, 13, 13]) await mine(blocks, 'ethereum');
      const sweep = (await listWithdrawals()).find(({ purpose }) => purpose === 'sweep');
      const { txHashes, status, waitsFor } = await getWithdrawal({ id: sweep?.id ?? '' });
      assert.deepEqual([refusals, txHashes.length, status, waitsFor], [1, 2, 'sent', null]);
    });

    onSqlite('a node without a reliable gas estimate does not mean that the transfer would fail', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000']);
      const ethereum = chain('ethereum') as SimulatedEthereum;
      const { estimateGas } = ethereum;
      const failWith = (failure: Error) => {
        ethereum.estimateGas = async () => await Promise.reject(failure);
      };
      failWith(new ChainError('down', 'The node reported too many requests (HTTP 429).'));
      await mine(12, 'ethereum');
      assert.equal((await onlyWithdrawal()).waitsFor?.reason, 'queued');
      failWith(new TransferWouldFail('execution reverted: blocked'));
      await mine(1, 'ethereum');
      const { waitsFor } = await onlyWithdrawal();
      assert.deepEqual(
        [waitsFor?.reason, waitsFor?.detail],
        ['rejected', 'The node reports that the transfer would fail: execution reverted: blocked'],
      );
      ethereum.estimateGas = estimateGas;
      await mine(1, 'ethereum');
      assert.equal((await listWithdrawals())[1]?.purpose, 'gas');
    });

    onSqlite('nothing below the operator’s minimum is swept', async () => {
      await open({ SWEEP_MIN_AMOUNTS: 'btc=300000' });
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000']);
      await mine(3);
      assert.deepEqual(await listWithdrawals(), []);
      await fillWallets('btc', ['150000']);
      await mine(3);
      assert.equal((await onlyWithdrawal()).spent, '300000');
    });

    onSqlite('many small deposits do not block a large one', async () => {
      await open({ SWEEP_MIN_AMOUNTS: 'btc=300000' });
      await enableWithdrawals('btc', external.bitcoin);
      await setFee('bitcoin', 1n);
      await fillWallets(
        'btc',
        Array.from({ length: 100 }, () => '1000'),
      );
      await mine(3);
      assert.deepEqual(await listWithdrawals(), []);
      // Adds wallets with deposits that are not worth their fee.
      const query = db(fixture.service().database);
      const { id: _id, ...wallet } = await query.selectFrom('wallets').selectAll().executeTakeFirstOrThrow();
      const { id: _deposit, ...deposit } = await query.selectFrom('deposits').selectAll().executeTakeFirstOrThrow();
      const copies = Array.from({ length: 300 }, (_, index) => `copy-${index}`);
      const wallets = await query
        .insertInto('wallets')
        .values(
          copies.map((address, index) => ({ ...wallet, address, balance: '9', derivation_index: 100_000 + index })),
        )
        .returning('id')
        .execute();
      const added = wallets.map(({ id }) => id);
      const deposits = wallets.map(({ id }) => ({ ...deposit, wallet_id: id, payment_key: `copy-${id}`, amount: '9' }));
      await query.insertInto('deposits').values(deposits).execute();
      await fillWallets('btc', ['5000000']);
      await mine(3);
      assert.equal((await onlyWithdrawal()).spent, '5099000');
      await query.deleteFrom('deposits').where('wallet_id', 'in', added).execute();
      await query.deleteFrom('wallets').where('id', 'in', added).execute();
    });

    test('the gas wallet respects the operator’s daily limit', async () => {
      await open({ GAS_MAX_GWEI_PER_DAY: '3300000' });
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await fillWallets('usdt', ['90000000', '90000000']);
      await mine(12, 'ethereum');
      const withdrawals = await listWithdrawals();
      assert.equal(withdrawals.filter(({ purpose }) => purpose === 'gas').length, 1);
      assert.match(withdrawals.map(({ waitsFor }) => waitsFor?.detail ?? '').join(), /exceed the operator’s limit/);
      await fixture.advance(25 * 60 * MINUTE);
      await mine(1, 'ethereum');
      assert.equal((await listWithdrawals()).filter(({ purpose }) => purpose === 'gas').length, 2);
    });

    onSqlite('unspent gas of a wallet pays its next token transfer', async () => {
      await fillGasWallet(ETHER);
      await enableWithdrawals('usdt', external.ethereum);
      await prefer({ 'wallet-rotate-amount-usdt': '1' });
      const user = await create({ code: 'usdt', type: 'user', amount: '1' });
      await pay(user, 90_000_000n);
      await mine(12, 'ethereum');
      await mine(1, 'ethereum');
      await mine(12, 'ethereum');
      await pay(user, 90_000_000n);
      await mine(12, 'ethereum');
      await mine(1, 'ethereum');
      const [, gas, , second] = await listWithdrawals();
      assert.ok(BigInt(second?.spent ?? 0) < BigInt(gas?.spent ?? 0), 'only the missing gas is sent');
      await mine(13, 'ethereum');
      assert.deepEqual(
        (await listWithdrawals()).map(({ status }) => status),
        ['confirmed', 'confirmed', 'confirmed', 'confirmed'],
      );
      assert.equal((await getWithdrawal({ id: second?.id ?? '' })).purpose, 'gas');
    });
  });

  describe('canceled by a manager', () => {
    test('a transaction signed elsewhere is no longer sent while its cancellation awaits a signature', async () => {
      await open({}, false);
      const user = await create({ type: 'user', amount: '1000' });
      await pay(user, 300_000n);
      await mine(2);
      const { walletAddress } = user;
      const body = { code: 'btc', walletAddress, source: 'credited', destination: external.bitcoin };
      const { id } = (await requestWithdrawal(body)).body;
      await mine(1);
      const { publicKey: accountKey, privateKey } = await keysOf('bitcoin');
      const spender = createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey });
      const { unsigned } = await getWithdrawal({ id });
      const { raw } = await spender.sign(unsigned?.data ?? '');
      const { broadcast } = chain();
      chain().broadcast = async () => await Promise.resolve({ kind: 'refused', reason: 'mempool full' });
      assert.equal((await wallets.submit({ id }, raw)).body.status, 'waiting');
      assert.equal((await cancel(id)).status, 200);
      await fixture.advance(MINUTE);
      const sent: string[] = [];
      chain().broadcast = async (each) => {
        sent.push(each);
        return await broadcast.call(chain(), each);
      };
      await fixture.advance(MINUTE);
      await mine(1);
      const canceled = await getWithdrawal({ id });
      assert.deepEqual([sent, canceled.status, canceled.cancelling], [[], 'to_sign', true]);
      await wallets.submit({ id }, (await spender.sign(canceled.unsigned?.data ?? '')).raw);
      await mine(3);
      assert.equal((await getWithdrawal({ id })).status, 'failed');
      assert.equal(await received('bitcoin', external.bitcoin, 'btc'), 0n);
    });

    test('a waiting withdrawal ends immediately and releases its deposits', async () => {
      await prefer({ 'auto-withdrawal-destination-btc': external.bitcoin });
      const user = await create({ type: 'user', amount: '1000' });
      await pay(user, 300_000n);
      await mine(2);
      await setFee('bitcoin', 501n);
      const body = {
        code: 'btc',
        walletAddress: user.walletAddress,
        source: 'credited',
        destination: external.bitcoin,
      };
      const { id } = (await requestWithdrawal(body)).body;
      await mine(1);
      assert.equal((await onlyWithdrawal()).waitsFor?.reason, 'fee_limit');
      const token = await fixture.service().database.inTransaction(
        async (unit) =>
          await createToken(unit, {
            ...{ environment: 'sandbox', random: systemRandom, clock: fixture.clock, role: 'merchant' },
            ...{ merchantId: fixture.merchant.id, scopes: ['withdrawal:write'] },
          }),
      );
      const refusal = await cancel(id, token);
      assert.deepEqual([refusal.status, refusal.body.code], [409, 'withdrawal_not_cancellable']);
      assert.match(refusal.body.detail, /Only a manager can cancel it, until its transaction is in a block/);
      const cancelled = await cancel(id);
      assert.deepEqual([cancelled.status, cancelled.body.status, cancelled.body.waitsFor], [200, 'failed', null]);
      await setFee('bitcoin', 5n);
      assert.equal((await requestWithdrawal(body)).body.spent, '300000');
      await mine(1);
      const [, sent] = await listWithdrawals();
      await mine(2);
      assert.equal(
        (await cancel(sent?.id ?? '')).body.detail,
        'The withdrawal is confirmed and can no longer be canceled.',
      );
    });

    onSqlite('an unsigned withdrawal ends immediately; a signature sent anyway pays once', async () => {
      await open({}, false);
      await prefer({ 'auto-withdrawal-destination-eth': external.ethereum });
      const user = await create({ code: 'eth', type: 'user', amount: '1' });
      usedOutside.push(user.walletAddress);
      await pay(user, ETHER);
      await mine(12, 'ethereum');
      const body = {
        code: 'eth',
        walletAddress: user.walletAddress,
        source: 'credited',
        destination: external.ethereum,
      };
      const { id } = (await requestWithdrawal(body)).body;
      await mine(1, 'ethereum');
      const toSign = await getWithdrawal({ id });
      assert.equal(toSign.status, 'to_sign');
      assert.equal((await cancel(id)).body.status, 'failed');
      // At another fee rate, the transaction differs.
      await setFee('ethereum', 15n);
      const again = (await requestWithdrawal(body)).body;
      await mine(1, 'ethereum');
      const second = await getWithdrawal(again);
      assert.equal(second.unsigned?.data.slice(0, 20), toSign.unsigned?.data.slice(0, 20), 'the same nonce');
      const { publicKey: accountKey, privateKey } = await keysOf('ethereum');
      const spender = createEthereumSpender({
        ...{ network: simulatedEthereumNetwork, accountKey, privateKey, node: {} as never },
      });
      const path = { chain: 0, index: Number(toSign.unsigned?.path?.split('/')[1]) } as const;
      const first = await spender.sign(toSign.unsigned?.data ?? '', path);
      assert.deepEqual(await chain('ethereum').broadcast(first.raw), { kind: 'sent' });
      await mine(1, 'ethereum');
      await wallets.submit(second, (await spender.sign(second.unsigned?.data ?? '', path)).raw);
      for (const blocks of [13, 1, 13, 1]) await mine(blocks, 'ethereum');
      assert.deepEqual(await writtenOff(user.id), [true]);
      assert.equal((await getWithdrawal(again)).status, 'failed');
      assert.equal(await balanceOf(user.walletAddress), '0');
    });
  });

  async function versionOf(number: number) {
    const query = db(fixture.service().database);
    const versions = query.selectFrom('withdrawal_versions').select(['raw', 'tx_hash']);
    return await versions.where('number', '=', number).executeTakeFirst();
  }
  const rawOf = async (number: number) => (await versionOf(number))?.raw ?? null;
  const hashOf = async (number: number) => (await versionOf(number))?.tx_hash ?? null;

  /** Signs the only withdrawal externally. */
  async function submitSigned(): Promise<void> {
    const { publicKey: accountKey, privateKey } = await keysOf('bitcoin');
    const spender = createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey });
    const toSign = await onlyWithdrawal();
    const { raw } = await spender.sign(toSign.unsigned?.data ?? '');
    assert.equal((await wallets.submit(toSign, raw)).status, 200);
  }
});
