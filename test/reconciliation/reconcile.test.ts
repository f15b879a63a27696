import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { createEthereumSpender } from '../../src/chains/ethereum/spender.ts';
import type { SimulatedEthereum } from '../../src/chains/simulated/chain.ts';
import { deriveSandboxSeed } from '../../src/chains/simulated/connect.ts';
import { simulatedEthereumNetwork } from '../../src/chains/simulated/chain-kinds.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { ChainError } from '../../src/chains/port.ts';
import type { ChainName, CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { type Difference, needsOperator, reconcile } from '../../src/reconciliation/reconcile.ts';
import { scanOutputs } from '../../src/reconciliation/scan.ts';
import { type Resolution, resolveDifference } from '../../src/reconciliation/resolve-difference.ts';
import { readAccount } from '../../src/wallets/accounts.ts';
import { systemRandom } from '../../src/system/random.ts';
import { loadServiceKey } from '../../src/database/service-key.ts';
import { runInProcess } from '../support/command-line.ts';
import { DAY, MINUTE } from '../../src/shared/time.ts';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;

describe('differences between the ledger and the chains', () => {
  let fixture: Fixture;
  let usedOutside: string[] = [];
  beforeEach(async () => {
    fixture = await openFixture({ env: { WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' } });
    await fixture.work();
  });
  afterEach(async () => {
    await fixture.close({ usedOutside });
    usedOutside = [];
  });
  const tools = withdrawalsOf(() => fixture);
  const {
    chain,
    create,
    pay,
    mine,
    get,
    prefer,
    enableWithdrawals,
    fillWallets,
    fillGasWallet,
    requestWithdrawal,
    listWithdrawals,
  } = tools;
  const query = () => db(fixture.service().database);
  const ethereum = () => chain('ethereum') as SimulatedEthereum;
  const connected = (name: ChainName) => {
    const found = fixture.service().invoices.context.chains.all.find((each) => each.name === name);
    assert.ok(found);
    return found;
  };
  const differencesOf = async (name: ChainName) =>
    (await reconcile(fixture.service().database, connected(name))).differences;
  const scan = async () => {
    const bitcoin = connected('bitcoin');
    const { nextIndex } = await readAccount(fixture.service().database, bitcoin.accountId);
    const options = { nextIndex, gapLimit: 5, onProgress: () => undefined };
    return (await scanOutputs(fixture.service().database, bitcoin, options))?.differences ?? [];
  };
  const resolve = async (name: ChainName, address: string, code: CryptoCurrencyCode, difference: bigint) => {
    const recorded: Resolution[] = [];
    const { context } = fixture.service().invoices;
    const record = async (_unit: unknown, settlement: Resolution) => {
      await Promise.resolve(recorded.push(settlement));
    };
    const resolved = await resolveDifference(context, connected(name), { address, code, difference }, record);
    assert.deepEqual(recorded, [resolved]);
    return resolved;
  };
  const balanceOf = async (address: string) =>
    (await query().selectFrom('wallets').select('balance').where('address', '=', address).executeTakeFirstOrThrow())
      .balance;

  /** A user's wallet with credited deposits. */
  const userWith = async (code: 'eth' | 'usdt', ...amounts: bigint[]) => {
    await prefer({ [`wallet-rotate-amount-${code}`]: code === 'eth' ? String(100n * ETHER) : '1000000000' });
    const user = await create({ code, type: 'user', amount: '1' });
    for (const amount of amounts) await pay(user, amount);
    await mine(13, 'ethereum');
    return user;
  };

  /** Sends from a wallet with its key outside the service, and mines the block. */
  async function sendByHand({ walletAddress }: CryptoTransaction, code: 'eth' | 'usdt', amount: bigint): Promise<void> {
    const { database } = fixture.service();
    const seed = deriveSandboxSeed(await loadServiceKey(database, systemRandom, null));
    const { publicKey: accountKey, privateKey } = await deriveAccount(seed, 'ethereum', { isTest: true });
    const spender = createEthereumSpender({
      ...{ network: simulatedEthereumNetwork, accountKey, privateKey, node: ethereum() },
    });
    const { derivation_index: index } = await query()
      .selectFrom('wallets')
      .select('derivation_index')
      .where('address', '=', walletAddress)
      .executeTakeFirstOrThrow();
    const nonce = await ethereum().nextNonce(walletAddress);
    const price = { nonce, feeRate: 20n * GWEI, priorityFee: 20n * GWEI, to: otherExternal.ethereum };
    const built =
      code === 'eth'
        ? spender.buildEtherSweep({ ...price, gasLimit: 21_000n, spent: amount + 21_000n * 20n * GWEI })
        : spender.buildTokenTransfer({ ...price, gasLimit: 100_000n, code, amount });
    assert.ok(built.kind === 'built');
    const { raw } = await spender.sign(built.data, { chain: 0, index });
    assert.deepEqual(await ethereum().broadcast(raw), { kind: 'sent' });
    await mine(1, 'ethereum');
  }

  /** Changes the token balance of an address without a transfer. */
  async function setTokens(address: string, amount: bigint): Promise<void> {
    await query()
      .updateTable('simulated_outputs')
      .set({ amount: amount.toString() })
      .where('address', '=', address)
      .where('code', '=', 'usdt')
      .execute();
  }

  /** Simulates gas funding by a release without a ledger. */
  async function insertFundingBeforeLedger(destination: string): Promise<number> {
    const { id } = await query()
      .insertInto('withdrawals')
      .values({
        ...({ chain: 'ethereum', code: 'eth', purpose: 'gas', status: 'confirmed' } as const),
        ...{ merchant_id: fixture.merchant.id, public_id: 'before', destination },
        ...{ source: null, waits_for: null, failure: null },
        ...{ requested_by: null, crypto_transaction_id: null, funds_id: null, sender: null, sender_chain: null },
        ...{ sender_index: null, nonce: null, spent: '9', amount: '9', fee: '1', fee_rate: '1', fee_limit: null },
        ...{ fee_paid: null, written_off: null, tx_hash: '0xbefore', height: 1, block_hash: '0x1', is_reverted: 0 },
        ...{ sequence: 1, held_until: null, created_at: 1, updated_at: 1, cancel_requested_at: null, is_cancelled: 0 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Marks a coin as spent outside the service, or as unspent again. */
  async function spendOutside(address: string, isSpent = true): Promise<void> {
    const other = await query()
      .selectFrom('simulated_outputs')
      .select('transaction_id as id')
      .where('address', '<>', address)
      .where('code', '=', 'btc')
      .executeTakeFirst();
    const spentBy = { spent_by_id: isSpent ? (other?.id ?? null) : null };
    await query().updateTable('simulated_outputs').set(spentBy).where('address', '=', address).execute();
  }
  const paidBitcoin = async () => {
    const [invoice, other] = [await create(), await create()];
    await pay(invoice);
    await pay(other);
    await mine(3);
    return invoice;
  };

  type Undo = () => Promise<unknown>;
  const nothing: Undo = async () => await Promise.resolve();
  /** Each kind of difference: how it arises, which chain is compared, and how it is resolved. */
  const kinds: Record<
    NonNullable<Difference['explanation']> | 'unknown balance' | 'unknown account',
    () => Promise<{ found: Difference[]; detail: RegExp; undo?: Undo }>
  > = {
    async blocks_not_scanned() {
      const { walletAddress } = await paidBitcoin();
      await spendOutside(walletAddress);
      await chain().mine(1);
      const found = await differencesOf('bitcoin');
      return {
        found,
        detail: /^Coins were spent or are no longer in the chain/,
        undo: async () => await spendOutside(walletAddress, false),
      };
    },
    async withdrawal_not_posted() {
      await enableWithdrawals('btc', external.bitcoin);
      await fillWallets('btc', ['150000']);
      await mine(2);
      await chain().mine(1);
      const found = await differencesOf('bitcoin');
      return { found, detail: /posted next/, undo: async () => await fixture.work() };
    },
    async balance_not_watched() {
      const { walletAddress } = await create({ code: 'usdt', amount: '5000000' });
      await ethereum().sendFromContract({ address: walletAddress, amount: 7n });
      await mine(2, 'ethereum');
      return { found: await differencesOf('ethereum'), detail: /not watched/ };
    },
    async deposit_not_detected() {
      const { walletAddress } = await create({ code: 'eth', amount: String(ETHER) });
      await ethereum().sendFromContract({ address: walletAddress, amount: 7n });
      await chain('ethereum').mine(1);
      // Simulates a block that was read before the balance of the address was.
      const { height, hash } = await chain('ethereum').tip();
      await query().updateTable('chain_cursors').set({ height, hash }).where('chain', '=', 'ethereum').execute();
      await query().insertInto('chain_blocks').values({ chain: 'ethereum', height, hash }).execute();
      return { found: await differencesOf('ethereum'), detail: /not recorded as a deposit yet/ };
    },
    async before_balance_watch() {
      const { walletAddress } = await create({ code: 'eth', amount: String(ETHER) });
      await ethereum().sendFromContract({ address: walletAddress, amount: 7n });
      // Simulates ether received before the address was issued.
      await query().updateTable('watched_balances').set({ height: 1, balance: '7', sent: 0 }).execute();
      await mine(2, 'ethereum');
      return { found: await differencesOf('ethereum'), detail: /before the address was watched/ };
    },
    async before_ledger() {
      const { walletAddress } = await create({ code: 'usdt', amount: '5000000' });
      await ethereum().sendFromContract({ address: walletAddress, amount: 9n });
      await mine(2, 'ethereum');
      const id = await insertFundingBeforeLedger(walletAddress);
      const found = await differencesOf('ethereum');
      const undo = async () => await query().deleteFrom('withdrawals').where('id', '=', id).execute();
      return { found, detail: /older than the ledger/, undo };
    },
    async operator_funding() {
      await fillGasWallet(ETHER);
      return { found: await differencesOf('ethereum'), detail: /funded the gas wallet with 1000000000000000000 wei/ };
    },
    async unissued_address() {
      const { accountId, accountKey, chain: bitcoin } = connected('bitcoin');
      await create();
      const { nextIndex } = await readAccount(fixture.service().database, accountId);
      const address = bitcoin.addresses.derive(accountKey, nextIndex + 2);
      await chain().pay({ address, code: 'btc', amount: 1000n });
      await mine(2);
      return { found: await scan(), detail: /addresses list/ };
    },
    async spent_outside() {
      const { walletAddress } = await paidBitcoin();
      await spendOutside(walletAddress);
      const found = await differencesOf('bitcoin');
      return { found, detail: /without a withdrawal: /, undo: async () => await spendOutside(walletAddress, false) };
    },
    async sent_outside() {
      const user = await userWith('eth', ETHER);
      usedOutside.push(user.walletAddress);
      await sendByHand(user, 'eth', ETHER / 10n);
      return {
        found: await differencesOf('ethereum'),
        detail: /has sent transactions that this service did not create: 1\./,
      };
    },
    async token_contract() {
      const { walletAddress } = await userWith('usdt', 40_000_000n);
      await setTokens(walletAddress, 39_000_000n);
      const found = await differencesOf('ethereum');
      return { found, detail: /rebasing token/, undo: async () => await setTokens(walletAddress, 40_000_000n) };
    },
    async missed_deposit() {
      const { walletAddress } = await create();
      await chain().pay({ address: walletAddress, code: 'btc', amount: 5000n });
      const { height, hash } = await chain().mine(1);
      // Marks its block as read, to simulate a missed deposit.
      await query().updateTable('chain_cursors').set({ height, hash }).where('chain', '=', 'bitcoin').execute();
      await query().insertInto('chain_blocks').values({ chain: 'bitcoin', height, hash }).execute();
      return { found: await scan(), detail: /at a wallet of merchant \d+: the ledger does not contain it/ };
    },
    async state_mismatch() {
      const { walletAddress } = await paidBitcoin();
      const unresolved = () =>
        query()
          .updateTable('deposits')
          .where('tx_hash', 'in', (select) =>
            select
              .selectFrom('simulated_outputs')
              .innerJoin('simulated_transactions as tx', 'tx.id', 'simulated_outputs.transaction_id')
              .select('tx.tx_hash')
              .where('simulated_outputs.address', '=', walletAddress),
          );
      await unresolved().set({ state: 'gone' }).execute();
      const undo = async () => await unresolved().set({ state: 'mined' }).execute();
      return { found: await scan(), detail: /the ledger lists it as dropped from the chain/, undo };
    },
    async 'unknown balance'() {
      await paidBitcoin();
      const change = async (from: string, to: string) =>
        await query().updateTable('wallets').set({ balance: to }).where('balance', '=', from).execute();
      const [one] = await query().selectFrom('wallets').select('id').execute();
      await query()
        .updateTable('wallets')
        .set({ balance: '150001' })
        .where('id', '=', one?.id ?? 0)
        .execute();
      const undo = async () => await change('150001', '150000');
      return { found: await differencesOf('bitcoin'), detail: /balance of the wallet differs/, undo };
    },
    async 'unknown account'() {
      await paidBitcoin();
      const [one] = await query().selectFrom('deposits').select('id').execute();
      const unresolved = () =>
        query()
          .updateTable('deposits')
          .where('id', '=', one?.id ?? 0);
      await unresolved().set({ ledger_account: 'in_review' }).execute();
      const undo = async () => await unresolved().set({ ledger_account: 'credited' }).execute();
      return { found: await differencesOf('bitcoin'), detail: /posted to in_review but belongs in credited/, undo };
    },
  };
  const harmless = [
    ...['blocks_not_scanned', 'withdrawal_not_posted', 'balance_not_watched', 'deposit_not_detected'],
    ...['before_balance_watch', 'before_ledger', 'operator_funding', 'unissued_address'],
  ];
  for (const [kind, play] of Object.entries(kinds))
    test(`${kind} is reported once, with its explanation`, async () => {
      const { found, detail, undo = nothing } = await play();
      const [difference, ...others] = found;
      assert.ok(difference, 'a difference is found');
      assert.deepEqual(others, []);
      assert.equal(difference.explanation, kind.startsWith('unknown') ? null : kind);
      assert.match(difference.detail, detail);
      assert.equal(needsOperator(difference), !harmless.includes(kind));
      await undo();
    });

  test('a node that has pruned old blocks, with an open withdrawal: nothing differs', async (t) => {
    await enableWithdrawals('btc', external.bitcoin);
    await fillWallets('btc', ['150000']);
    await mine(2);
    const bitcoin = connected('bitcoin').chain;
    const { findTransaction } = bitcoin;
    t.mock.method(bitcoin, 'findTransaction', async (...args: Parameters<typeof findTransaction>) => {
      if (args[2] === undefined) throw new ChainError('behind', 'The node has pruned block 1.');
      return await findTransaction(...args);
    });
    assert.deepEqual(await differencesOf('bitcoin'), []);
  });

  test('a key used outside the service is reported, even if the wallet received more than it sent', async () => {
    const user = await userWith('eth', ETHER);
    usedOutside.push(user.walletAddress);
    // The checkpoint of the balance now contains the deposit.
    await mine(1100, 'ethereum');
    await sendByHand(user, 'eth', ETHER / 10n);
    await ethereum().sendFromContract({ address: user.walletAddress, amount: (3n * ETHER) / 10n });
    await mine(1, 'ethereum');
    const [difference] = await differencesOf('ethereum');
    assert.ok(difference && difference.chain > difference.ledger);
    assert.equal(difference.explanation, 'sent_outside');
    assert.ok(needsOperator(difference));
  });

  test('a key used outside the service is reported, even if gas of the wallet is older than the ledger', async () => {
    const user = await userWith('eth', ETHER);
    usedOutside.push(user.walletAddress);
    await sendByHand(user, 'eth', ETHER / 2n);
    const id = await insertFundingBeforeLedger(user.walletAddress);
    const { differences, unresolved } = await reconcile(fixture.service().database, connected('ethereum'));
    assert.deepEqual(
      differences.map(({ explanation }) => explanation),
      ['sent_outside'],
    );
    assert.equal(unresolved, 1);
    await query().deleteFrom('withdrawals').where('id', '=', id).execute();
  });

  test('ether of a contract that is not recorded yet needs no operator, and cannot be resolved', async () => {
    await prefer({ 'wallet-rotate-amount-eth': String(100n * ETHER) });
    await mine(13, 'ethereum');
    const users: CryptoTransaction[] = [];
    for (let count = 0; count < 101; count += 1) users.push(await create({ code: 'eth', type: 'user', amount: '1' }));
    // Each block, the balances of the next 100 wallets are compared.
    await mine(1, 'ethereum');
    await mine(1, 'ethereum');
    const last = users.at(-1);
    assert.ok(last);
    await ethereum().sendFromContract({ address: last.walletAddress, amount: ETHER / 2n });
    await mine(1, 'ethereum');
    const [difference, ...others] = await differencesOf('ethereum');
    assert.deepEqual(others, []);
    assert.deepEqual([difference?.address, difference?.explanation], [last.walletAddress, 'deposit_not_detected']);
    await assert.rejects(resolve('ethereum', last.walletAddress, 'eth', ETHER / 2n), /not recorded as a deposit yet/);
    await mine(13, 'ethereum');
    assert.deepEqual(await differencesOf('ethereum'), []);
    assert.equal(await balanceOf(last.walletAddress), String(ETHER / 2n));
  });

  describe('are resolved by the operator', () => {
    test('tokens sent outside the service: the oldest credited deposits bear the loss', async () => {
      await fillGasWallet(ETHER);
      const user = await userWith('usdt', 400_000_000n, 150_000_000n);
      await ethereum().pay({ address: user.walletAddress, code: 'eth', amount: ETHER / 100n });
      await mine(1, 'ethereum');
      await sendByHand(user, 'usdt', 450_000_000n);
      const { walletAddress } = user;
      await assert.rejects(resolve('ethereum', walletAddress, 'usdt', -450_000_000n), /are not final/);
      await mine(13, 'ethereum');
      await assert.rejects(resolve('ethereum', walletAddress, 'usdt', -440_000_000n), /the chain holds 100000000 usdt/);
      const { writtenOff } = await resolve('ethereum', walletAddress, 'usdt', -450_000_000n);
      assert.equal(writtenOff, 450_000_000n);
      await assert.rejects(resolve('ethereum', walletAddress, 'usdt', -450_000_000n), /there is nothing to resolve/);
      assert.equal(await balanceOf(walletAddress), '100000000');
      const { payments } = await get(user);
      assert.deepEqual(
        payments.map((payment) => [payment.amount, payment.writtenOffAt !== null]),
        [
          ...[
            ['400000000', true],
            ['150000000', false],
          ],
        ],
      );
      const entries = await query()
        .selectFrom('ledger_entries')
        .select(['debit', 'credit', 'amount'])
        .where('kind', '=', 'write_off')
        .orderBy('id')
        .execute();
      assert.deepEqual(entries.map(({ debit, credit, amount }) => `${debit} < ${credit} ${amount}`).sort(), [
        'credited < wallet 400000000',
        'credited < wallet 50000000',
      ]);
      const events = (await fixture.request('/v1/events?limit=100')).body.events;
      assert.equal(events.at(-1).type, 'crypto.transaction.updated');
      // The gas of the transfer is a separate difference.
      const [gas] = (await differencesOf('ethereum')).filter(({ address }) => address === walletAddress);
      assert.equal(gas?.code, 'eth');
      assert.equal(gas.explanation, 'sent_outside');
      await resolve('ethereum', walletAddress, 'eth', gas.chain - gas.ledger);
      assert.deepEqual((await differencesOf('ethereum')).filter(needsOperator), []);
      const body = { code: 'usdt', walletAddress, source: 'credited', destination: external.ethereum };
      assert.equal((await requestWithdrawal(body)).body.spent, '100000000');
      for (const blocks of [1, 13, 1, 13]) await mine(blocks, 'ethereum');
      const [sent] = (await listWithdrawals()).filter(({ purpose }) => purpose === 'manual');
      assert.deepEqual([sent?.status, sent?.amount, sent?.writtenOff], ['confirmed', '100000000', '0']);
      assert.equal(await tools.received('ethereum', external.ethereum, 'usdt'), 100_000_000n);
      assert.equal(await balanceOf(walletAddress), '0');
    });

    test('ether sent outside the service; later ether from contracts is still detected', async () => {
      const user = await userWith('eth', ETHER);
      const { walletAddress } = user;
      await sendByHand(user, 'eth', ETHER / 4n);
      await mine(13, 'ethereum');
      const [difference] = await differencesOf('ethereum');
      assert.ok(difference);
      await resolve('ethereum', walletAddress, 'eth', difference.chain - difference.ledger);
      assert.deepEqual(await differencesOf('ethereum'), []);
      assert.equal(await balanceOf(walletAddress), String(difference.chain));
      await ethereum().sendFromContract({ address: walletAddress, amount: 5n * GWEI });
      await mine(13, 'ethereum');
      assert.equal(await balanceOf(walletAddress), String(difference.chain + 5n * GWEI));
      await mine(12, 'ethereum');
      const body = { code: 'eth', walletAddress, source: 'credited', destination: external.ethereum };
      assert.equal((await requestWithdrawal(body)).body.spent, String(difference.chain + 5n * GWEI));
      await mine(1, 'ethereum');
      await assert.rejects(
        resolve('ethereum', walletAddress, 'eth', -1n),
        /is open. Wait until it completes and writes off the loss/,
      );
      for (const blocks of [13, 1, 13]) await mine(blocks, 'ethereum');
      const [sent] = await listWithdrawals();
      assert.deepEqual([sent?.status, sent?.writtenOff], ['confirmed', '0']);
    });

    test('is refused for an unknown wallet, for a currency of another chain, and when a block arrives', async () => {
      const { walletAddress } = await userWith('usdt', 40_000_000n);
      await setTokens(walletAddress, 39_000_000n);
      await assert.rejects(
        resolve('ethereum', external.ethereum, 'usdt', -1_000_000n),
        new RegExp(`No wallet on ethereum has the address ${external.ethereum}`, 'i'),
      );
      await assert.rejects(resolve('ethereum', walletAddress, 'btc', -1_000_000n), /btc is not available on ethereum/);
      const { transactionCounts } = ethereum();
      ethereum().transactionCounts = async (...read) => {
        ethereum().transactionCounts = transactionCounts;
        const counts = await ethereum().transactionCounts(...read);
        await mine(1, 'ethereum');
        return counts;
      };
      await assert.rejects(resolve('ethereum', walletAddress, 'usdt', -1_000_000n), /A block of ethereum was read/);
      assert.equal((await resolve('ethereum', walletAddress, 'usdt', -1_000_000n)).writtenOff, 1_000_000n);
    });

    test('a token surplus belongs to no deposit', async () => {
      const { walletAddress } = await userWith('usdt', 40_000_000n);
      await setTokens(walletAddress, 42_000_000n);
      await resolve('ethereum', walletAddress, 'usdt', 2_000_000n);
      assert.deepEqual(await differencesOf('ethereum'), []);
      assert.equal(await balanceOf(walletAddress), '40000000');
      // The surplus bears a later loss first.
      await setTokens(walletAddress, 39_000_000n);
      const { writtenOff } = await resolve('ethereum', walletAddress, 'usdt', -3_000_000n);
      assert.equal(writtenOff, 1_000_000n);
      assert.equal(await balanceOf(walletAddress), '39000000');
    });

    test('of two concurrent commands for one coin, the second is refused', async () => {
      const { walletAddress } = await paidBitcoin();
      await spendOutside(walletAddress);
      const { outputStates } = chain();
      chain().outputStates = async (...read) => {
        chain().outputStates = outputStates;
        const states = await chain().outputStates(...read);
        await resolve('bitcoin', walletAddress, 'btc', -150_000n);
        return states ?? new Map();
      };
      await assert.rejects(resolve('bitcoin', walletAddress, 'btc', -150_000n), /there is nothing to resolve/);
    });

    test('of two differences, one resolved during the next comparison: the alert ends', async () => {
      const gauge = async () =>
        /paylatch_ledger_difference\{chain="bitcoin",code="btc"\} (\S+)/.exec(
          (await fixture.request('/metrics')).text,
        )?.[1];
      const addresses = [(await paidBitcoin()).walletAddress, (await paidBitcoin()).walletAddress] as const;
      for (const address of addresses) await spendOutside(address);
      await fixture.advance(DAY);
      assert.equal(await gauge(), '0.003');
      await resolve('bitcoin', addresses[0], 'btc', -150_000n);
      const { outputStates } = chain();
      let isResolved = false;
      chain().outputStates = async (...read) => {
        chain().outputStates = outputStates;
        await resolve('bitcoin', addresses[1], 'btc', -150_000n);
        isResolved = true;
        return (await chain().outputStates(...read)) ?? new Map();
      };
      await fixture.advance(MINUTE);
      assert.ok(isResolved);
      await fixture.advance(2 * MINUTE);
      assert.equal(await gauge(), '0');
    });

    test('a coin spent outside the service: the command records its reason in the audit log', async () => {
      const { walletAddress } = await paidBitcoin();
      await spendOutside(walletAddress);
      const settings = { PUBLIC_URL: 'http://127.0.0.1:1', DATABASE_URL: fixture.databaseUrl };
      const run = async (...args: string[]) => await runInProcess(['reconcile', 'resolve', ...args], settings);
      const named = ['--chain', 'bitcoin', '--address', walletAddress, '--code', 'btc', '--reason', 'Moved by hand'];
      const wrong = await run(...named, '--missing', '1', '--output', 'json');
      assert.equal(wrong.code, 1, wrong.stderr);
      assert.match(wrong.stderr, /the chain holds 0 btc, the ledger 150000/);
      const ambiguous = await run(...named);
      assert.equal(ambiguous.code, 2, ambiguous.stderr);
      const result = await run(...named, '--missing', '150000', '--output', 'json');
      assert.equal(result.code, 0, result.stderr);
      const { ledger, written_off: writtenOff } = JSON.parse(result.stdout);
      assert.deepEqual([ledger, writtenOff], ['0', '150000']);
      assert.deepEqual((await differencesOf('bitcoin')).filter(needsOperator), []);
      assert.equal(await balanceOf(walletAddress), '0');
      const entry = await query()
        .selectFrom('audit_entries')
        .select(['actor', 'subject', 'after'])
        .where('action', '=', 'resolveDifference')
        .executeTakeFirstOrThrow();
      assert.match(entry.actor ?? '', /^command line/);
      assert.equal(entry.subject, walletAddress);
      assert.match(entry.after ?? '', /Moved by hand/);
    });
  });
});
