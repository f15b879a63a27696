import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { SimulatedEthereum } from '../../src/chains/simulated/chain.ts';
import { type ChainName, chainNames } from '../../src/shared/crypto-currency.ts';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { resolveDifference } from '../../src/reconciliation/resolve-difference.ts';
import { AccountBalances } from '../../src/ledger/balances.ts';
import { packageRoot } from '../../src/system/root.ts';
import { external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

const ETHER = 10n ** 18n;

describe('the ledger', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' } });
    await fixture.work();
  });
  // Compares the ledger with the chains.
  afterEach(async () => await fixture.close());
  const {
    chain,
    create,
    pay,
    mine,
    get,
    review,
    prefer,
    enableWithdrawals,
    fillWallets,
    setFee,
    fillGasWallet,
    onlyWithdrawal,
  } = withdrawalsOf(() => fixture);

  const entries = async () =>
    await db(fixture.service().database)
      .selectFrom('ledger_entries')
      .select(['kind', 'debit', 'credit', 'amount', 'code'])
      .orderBy('id')
      .execute();
  const lines = async (from = 0) =>
    (await entries()).slice(from).map(({ kind, debit, credit, amount }) => `${kind}: ${debit} < ${credit} ${amount}`);
  const sheet = async () => {
    const all = new AccountBalances();
    for (const entry of await entries()) all.add(entry);
    return all;
  };
  const check = async (name: ChainName = 'bitcoin') => {
    const connected = fixture.service().invoices.context.chains.all.find((each) => each.name === name);
    assert.ok(connected);
    return await reconcile(fixture.service().database, connected);
  };

  test('records a deposit from mempool to credit, and its reversal by a reorg', async () => {
    await prefer({ 'min-confirmation-btc': 2 });
    const invoice = await create();
    await pay(invoice);
    await fixture.work();
    await mine(1);
    await mine(1);
    assert.equal((await get(invoice)).status, 'complete');
    assert.deepEqual(await lines(), [
      'deposit_seen: mempool < incoming 150000',
      'deposit_mined: incoming < mempool 150000',
      'deposit_mined: wallet < unconfirmed 150000',
      'credit: unconfirmed < credited 150000',
    ]);
    await chain().reorg(2);
    await fixture.work();
    assert.deepEqual((await lines(4)).slice(0, 2), [
      'deposit_unmined: credited < wallet 150000',
      'deposit_unmined: mempool < incoming 150000',
    ]);
    await mine(2);
    assert.equal((await get(invoice)).status, 'complete');
    assert.deepEqual((await sheet()).nonZeroAccounts('btc'), [
      ['wallet', 150_000n],
      ['credited', -150_000n],
    ]);
  });

  onSqlite('reverses a deposit that was replaced in the mempool', async () => {
    const invoice = await create();
    const txHash = await pay(invoice);
    await fixture.work();
    await chain().replace(txHash, { address: invoice.walletAddress, code: 'btc', amount: 150_013n });
    await mine(1);
    assert.deepEqual(await lines(1), [
      'deposit_dropped: incoming < mempool 150000',
      'deposit_mined: wallet < in_review 150013',
    ]);
  });

  test('moves deposits from review to credited or rejected, and posts their withdrawal with its fee', async () => {
    const [kept, refunded] = [await create(), await create()];
    await pay(kept, 100_000n);
    await pay(refunded, 120_000n);
    await mine(2);
    assert.equal((await sheet()).balanceOf('btc', 'in_review'), -220_000n);
    assert.equal((await review('approve', kept)).status, 200);
    assert.equal((await review('reject', refunded, { refundAddress: external.bitcoin })).status, 200);
    assert.deepEqual(
      [(await sheet()).balanceOf('btc', 'credited'), (await sheet()).balanceOf('btc', 'rejected')],
      [-100_000n, -120_000n],
    );
    await fixture.work();
    await mine(3);
    const { amount, fee, status } = await onlyWithdrawal({ status: 'confirmed' });
    assert.equal(status, 'confirmed');
    assert.equal((await get(refunded)).status, 'refunded');
    const withdrawn = (await entries()).filter(({ credit, debit }) => debit === 'withdrawn' && credit === 'wallet');
    assert.deepEqual(
      withdrawn.map((entry) => [entry.kind, entry.amount]),
      [
        ['withdrawal', amount],
        ['network_fee', fee],
      ],
    );
    assert.deepEqual((await sheet()).nonZeroAccounts('btc'), [
      ['wallet', 100_000n],
      ['credited', -100_000n],
    ]);
  });

  test('reverses a withdrawal with its block, and posts it again with the next one', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000', '250000']);
    await mine(2);
    await mine(1);
    assert.equal((await sheet()).balanceOf('btc', 'wallet'), 0n);
    await chain().reorg(1);
    await fixture.work();
    assert.equal((await sheet()).balanceOf('btc', 'wallet'), 400_000n);
    assert.equal((await sheet()).balanceOf('btc', 'credited'), -400_000n);
    await mine(1);
    assert.deepEqual((await sheet()).nonZeroAccounts('btc'), []);
  });

  onSqlite('posts the gas of token transfers, and the unspent funding', async () => {
    await fillGasWallet(ETHER);
    await setFee('ethereum', 20n);
    await enableWithdrawals('usdt', external.ethereum);
    await fillWallets('usdt', ['500000000']);
    await mine(20, 'ethereum');
    await mine(1, 'ethereum');
    await mine(1, 'ethereum');
    await mine(20, 'ethereum');
    const all = await sheet();
    assert.deepEqual(all.nonZeroAccounts('usdt'), []);
    assert.ok(all.balanceOf('eth', 'gas') > 0n, 'a part of the funding is unspent');
    assert.ok(all.balanceOf('eth', 'network_fees') > 0n);
    assert.equal(
      all.balanceOf('eth', 'gas') + all.balanceOf('eth', 'network_fees'),
      -all.balanceOf('eth', 'gas_wallet'),
    );
    const { differences } = await check('ethereum');
    assert.deepEqual(
      differences.map(({ explanation }) => explanation),
      ['operator_funding'],
    );
  });

  onSqlite('posts the paid fee of an ether withdrawal, and the unspent part of the cap as gas', async () => {
    await enableWithdrawals('eth', external.ethereum);
    await fillWallets('eth', [String(ETHER)]);
    await mine(20, 'ethereum');
    await mine(20, 'ethereum');
    const { amount, fee } = await onlyWithdrawal();
    const all = await sheet();
    assert.equal(all.balanceOf('eth', 'wallet'), 0n);
    assert.equal(all.balanceOf('eth', 'withdrawn'), 0n);
    const fees = (await entries()).filter(({ kind }) => kind === 'network_fee');
    assert.deepEqual(
      fees.map((each) => each.amount),
      [fee],
    );
    assert.equal(BigInt(amount ?? 0) + BigInt(fee ?? 0), ETHER);
    assert.equal(all.balanceOf('eth', 'gas'), -all.balanceOf('eth', 'network_fees'));
  });

  test('is append-only: the database refuses to change or delete an entry', async () => {
    await pay(await create());
    await fixture.work();
    const query = db(fixture.service().database);
    await assert.rejects(
      query.updateTable('ledger_entries').set({ amount: '1' }).execute(),
      /never changed or deleted/,
    );
    await assert.rejects(query.deleteFrom('ledger_entries').execute(), /never changed or deleted/);
    assert.equal((await entries()).length, 1);
  });

  /** Marks a coin as spent outside the service, or as unspent again. */
  const spendOutside = async (address: string, isSpent: boolean) => {
    const query = db(fixture.service().database);
    const other = isSpent
      ? await query
          .selectFrom('simulated_outputs')
          .select('transaction_id as id')
          .where('address', '<>', address)
          .executeTakeFirstOrThrow()
      : { id: null };
    await query
      .updateTable('simulated_outputs')
      .set({ spent_by_id: other.id })
      .where('address', '=', address)
      .execute();
  };

  test('reports a coin spent outside the service, and counts the equal wallets', async () => {
    const [spent, kept] = [await create(), await create()];
    await pay(spent);
    await pay(kept);
    await mine(3);
    await mine(1);
    assert.deepEqual((await check()).differences, []);
    await spendOutside(spent.walletAddress, true);
    const { wallets, totals, differences, unresolved } = await check();
    assert.equal(wallets, 2);
    assert.equal(unresolved, 1);
    assert.deepEqual(
      totals.map(({ code, ledger, chain: held, accounts }) => [code, ledger, held, accounts.credited]),
      [['btc', 300_000n, 150_000n, -300_000n]],
    );
    const [difference] = differences;
    assert.deepEqual(
      [difference?.address, difference?.ledger, difference?.chain, difference?.explanation],
      [spent.walletAddress, 150_000n, 0n, 'spent_outside'],
    );
    assert.match(difference?.detail ?? '', /^Coins were spent or are no longer in the chain/);
    await spendOutside(spent.walletAddress, false);
  });

  onSqlite('explains unread blocks, and ether at an unwatched address', async () => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    // The withdrawal is in a block that is not read yet.
    await chain().mine(1);
    assert.deepEqual(
      (await check()).differences.map(({ explanation }) => explanation),
      ['withdrawal_not_posted'],
    );
    await fixture.work();
    assert.deepEqual((await check()).differences, []);
    const invoice = await create({ code: 'usdt', amount: '5000000' });
    await (chain('ethereum') as SimulatedEthereum).sendFromContract({ address: invoice.walletAddress, amount: 7n });
    await mine(2, 'ethereum');
    const { differences, unresolved } = await check('ethereum');
    assert.equal(unresolved, 0);
    assert.deepEqual(
      differences.map(({ code, ledger, chain: held, explanation }) => [code, ledger, held, explanation]),
      [['eth', 0n, 7n, 'balance_not_watched']],
    );
  });

  test('finds a balance and a deposit that differ from the ledger', async () => {
    const invoice = await create();
    await pay(invoice);
    await mine(3);
    const query = db(fixture.service().database);
    await query.updateTable('wallets').set({ balance: '150001' }).execute();
    await query.updateTable('deposits').set({ ledger_account: 'in_review' }).execute();
    const { differences, unresolved } = await check();
    assert.equal(unresolved, 2);
    assert.match(differences[0]?.detail ?? '', /balance of the wallet/);
    assert.match(differences[1]?.detail ?? '', /posted to in_review but belongs in credited/);
    await query.updateTable('wallets').set({ balance: '150000' }).execute();
    await query.updateTable('deposits').set({ ledger_account: 'credited' }).execute();
  });

  test('is reconciled daily, and an unresolved difference raises the alert', async () => {
    const gauge = async () =>
      /paylatch_ledger_difference\{chain="bitcoin",code="btc"\} (\S+)/.exec(
        (await fixture.request('/metrics')).text,
      )?.[1];
    const last = async () =>
      await db(fixture.service().database)
        .selectFrom('reconciliations')
        .select(['at', 'unresolved', 'wallets', 'height'])
        .where('chain', '=', 'bitcoin')
        .executeTakeFirst();
    const [invoice, other] = [await create(), await create()];
    await pay(invoice);
    await pay(other);
    await mine(3);
    assert.equal(await last(), undefined);
    await fixture.advance(DAY);
    const first = await last();
    assert.deepEqual([first?.unresolved, first?.wallets, first?.height], [0, 2, 3]);
    assert.equal(await gauge(), '0');
    assert.doesNotMatch(fixture.log(), /ledger and chain differ/);
    await spendOutside(invoice.walletAddress, true);
    await fixture.advance(HOUR);
    assert.equal((await last())?.at, first?.at);
    await fixture.advance(DAY);
    assert.equal((await last())?.unresolved, 1);
    assert.equal(await gauge(), '0.0015');
    assert.match(fixture.log(), /"level":50,.*ledger and chain differ/);
    const { context } = fixture.service().invoices;
    const bitcoin = context.chains.all.find(({ name }) => name === 'bitcoin');
    assert.ok(bitcoin);
    const difference = { address: invoice.walletAddress, code: 'btc', difference: -150_000n } as const;
    await resolveDifference(context, bitcoin, difference, async () => await Promise.resolve());
    await fixture.advance(2 * MINUTE);
    assert.equal(await gauge(), '0');
    await spendOutside(invoice.walletAddress, false);
    const misposted = (account: string) =>
      db(fixture.service().database)
        .updateTable('deposits')
        .set({ ledger_account: account })
        .where('written_off_at', 'is', null)
        .execute();
    await misposted('in_review');
    await fixture.advance(DAY);
    assert.equal(await gauge(), '0.0015');
    await misposted('credited');
  });

  test('does not report a difference that is resolved during the first comparison', async (t) => {
    const [invoice, other] = [await create(), await create()];
    await pay(invoice);
    await pay(other);
    await mine(3);
    await spendOutside(invoice.walletAddress, true);
    const { context } = fixture.service().invoices;
    const bitcoin = context.chains.all.find(({ name }) => name === 'bitcoin');
    assert.ok(bitcoin);
    const outputStates = bitcoin.chain.outputStates.bind(bitcoin.chain);
    t.mock.method(bitcoin.chain, 'outputStates', async (...args: Parameters<typeof outputStates>) => {
      t.mock.restoreAll();
      const states = await outputStates(...args);
      const difference = { address: invoice.walletAddress, code: 'btc', difference: -150_000n } as const;
      await resolveDifference(context, bitcoin, difference, async () => await Promise.resolve());
      return states;
    });
    await fixture.advance(DAY);
    await fixture.advance(2 * MINUTE);
    const last = await db(fixture.service().database)
      .selectFrom('reconciliations')
      .select(['unresolved', 'wallets'])
      .where('chain', '=', 'bitcoin')
      .executeTakeFirst();
    assert.deepEqual(last, { unresolved: 0, wallets: 2 });
    assert.doesNotMatch(fixture.log(), /ledger and chain differ/);
    await spendOutside(invoice.walletAddress, false);
  });

  onSqlite('npx paylatch reconcile lists differences, and exits with 1 if one is unresolved', async () => {
    const run = async (...args: string[]) =>
      await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const env = { PATH: process.env['PATH'], PUBLIC_URL: 'http://127.0.0.1:1', DATABASE_URL: fixture.databaseUrl };
        const program = [join(packageRoot(), 'dist', 'server', 'cli.js'), 'reconcile', ...args];
        execFile(process.execPath, program, { env }, (error, stdout, stderr) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
        );
      });
    const [invoice, other] = [await create(), await create()];
    await pay(invoice);
    await pay(other);
    await mine(3);
    await fixture.work();
    const fine = await run('--output', 'json');
    assert.equal(fine.code, 0, fine.stderr);
    const { chains } = JSON.parse(fine.stdout);
    assert.deepEqual(
      chains.map((each: any) => [each.chain, each.unresolved]),
      chainNames.map((name) => [name, 0]),
    );
    await spendOutside(invoice.walletAddress, true);
    const off = await run('--chain', 'bitcoin');
    assert.equal(off.code, 1, off.stderr);
    assert.match(off.stdout, /^bitcoin at block 3: wallets 2, differences 1, unresolved 1$/m);
    assert.match(
      off.stdout,
      new RegExp(
        `spent_outside +${invoice.walletAddress} \\(merchant ${fixture.merchant.id}\\) btc: chain 0, ledger 150000`,
      ),
    );
    await spendOutside(invoice.walletAddress, false);
    const unknown = await run('--chain', 'xyz');
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /The chain xyz is not configured/);
  });
});
