import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { SimulatedChain } from '../../src/chains/simulated/chain.ts';
import {
  type BitcoinChainName,
  type ChainName,
  chainNames,
  chains,
  type CryptoCurrencyCode,
  cryptoCurrencies,
  isBitcoinChain,
  isFeeCoin,
} from '../../src/shared/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { DAY, HOUR, MINUTE } from '../../src/shared/time.ts';
import { createInvoice } from '../../src/invoices/create.ts';
import { approveTransaction, rejectTransaction } from '../../src/invoices/review.ts';
import { Problem } from '../../src/api/problem-error.ts';
import { rotateWallet } from '../../src/invoices/rotate.ts';
import { cancelWithdrawal } from '../../src/withdrawals/cancel.ts';
import { createWithdrawal } from '../../src/withdrawals/create.ts';
import { testEngine } from '../support/databases.ts';
import { assertInvoices, type PaidFor, payerErrors } from '../support/invoice-checks.ts';
import { invoicesOf } from '../support/invoices.ts';
import { assertLedger } from '../support/ledger-checks.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { notationsOf, sandboxKeys } from '../support/notations.ts';
import { assertOutsideTransfers, OutsideWallet } from '../support/outside-wallet.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { otherExternal, external, withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

const SERVICE_KEY = 'ab'.repeat(32);
/** Sequences that share one service and its chains; more of them would slow each other down. */
const TOGETHER = 10;
/** Amounts worth withdrawing on a chain with fees. */
function unitOf(code: CryptoCurrencyCode): bigint {
  if (!isFeeCoin(code)) return 100_000_000n;
  return code === 'eth' ? 20_000_000_000_000_000n : 100_000n;
}
const STEPS = { minLength: 80, maxLength: 160 };

type Step =
  | { do: 'invoice'; type: 'static' | 'revolver' | 'user'; code: CryptoCurrencyCode; hundreds: number }
  | { do: 'pay'; which: number; how: keyof typeof payerErrors }
  | { do: 'token' | 'dust'; which: number }
  | { do: 'spend outside'; which: number; isAll: boolean; replaces: boolean }
  | { do: 'fee'; chain: ChainName; times: keyof typeof feeRates }
  | { do: 'mine'; code: CryptoCurrencyCode; blocks: number }
  | { do: 'reorg'; code: CryptoCurrencyCode; depth: number; drop: boolean }
  | { do: 'replace'; which: number; toUs: boolean }
  | { do: 'evict'; which: number; whose: 'a payer’s' | 'ours' }
  | { do: 'send again'; which: number }
  | { do: 'rotate' | 'cancel'; which: number }
  | { do: 'approve'; which: number }
  | { do: 'reject'; which: number; isRefunded: boolean }
  | { do: 'withdraw'; which: number; source: 'credited' | 'unattributed' | 'rejected' }
  | { do: 'prefer'; key: string; value: boolean | string }
  | { do: 'pass'; time: number }
  | { do: 'look' }
  | { do: 'restart' }
  | { do: 'change notation'; of: Record<BitcoinChainName, number> };

/** Fee rates by family: normal, lowest, high within the operator's limits, and above them. */
const feeRates = {
  usual: { bitcoin: 5n, ethereum: 20n },
  low: { bitcoin: 1n, ethereum: 1n },
  high: { bitcoin: 80n, ethereum: 150n },
  absurd: { bitcoin: 100_000n, ethereum: 1_000_000n },
} as const;

/** The usual fee rate, in sat/vB or wei. */
const usualRate = (chain: ChainName): bigint =>
  isBitcoinChain(chain) ? feeRates.usual.bitcoin : feeRates.usual.ethereum * 10n ** 9n;

const bitcoinChains = chainNames.filter(isBitcoinChain);

function onEachBitcoinChain<Value>(make: () => Value): Record<BitcoinChainName, Value> {
  return Object.fromEntries(bitcoinChains.map((chain) => [chain, make()])) as Record<BitcoinChainName, Value>;
}

const codes = fc.constantFrom<CryptoCurrencyCode>('btc', 'btc', 'btc', 'usdt', 'usdt', 'eth', 'eth', 'ltc');
const which = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(9));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('invoice' as const),
      type: fc.constantFrom('static' as const, 'revolver' as const, 'revolver' as const, 'user' as const),
      code: codes,
      hundreds: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      which,
      how: fc.constantFrom('exact', 'exact', 'exact', 'less', 'more', 'rest'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('token' as const, 'dust' as const), which }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('spend outside' as const), which },
      ...{ isAll: fc.boolean(), replaces: fc.boolean() },
    }),
  },
  fc.record({
    do: fc.constant('fee' as const),
    chain: fc.constantFrom<ChainName>('bitcoin', 'bitcoin', 'ethereum', 'litecoin'),
    times: fc.constantFrom('usual', 'usual', 'low', 'high', 'absurd'),
  }),
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      code: codes,
      blocks: fc.constantFrom(1, 1, 2, 3, 20, 101),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorg' as const),
      code: codes,
      depth: fc.constantFrom(1, 1, 2, 3, 8),
      drop: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), which, toUs: fc.boolean() }) },
  fc.record({
    ...{ do: fc.constant('evict' as const), which },
    whose: fc.constantFrom('a payer’s' as const, 'ours' as const),
  }),
  fc.record({ do: fc.constant('send again' as const), which }),
  fc.record({ do: fc.constantFrom('rotate' as const, 'cancel' as const), which }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const), which, isRefunded: fc.boolean() }) },
  fc.record({
    do: fc.constant('withdraw' as const),
    which,
    source: fc.constantFrom('credited' as const, 'unattributed' as const, 'rejected' as const),
  }),
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('prefer' as const),
      key: fc.constantFrom('new-tx-manual-approve', 'tx-manual-auto-approve', 'auto-withdrawal'),
      value: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constant('prefer' as const),
    key: fc.constantFrom('wallet-rotate-amount-btc', 'min-amount-btc', 'wallet-rotate-amount-ltc'),
    value: fc.constantFrom('0', '150000', '400000'),
  }),
  fc.record({
    do: fc.constant('prefer' as const),
    key: fc.constant('wallet-rotate-amount-usdt'),
    value: fc.constantFrom('0', '150000000', '400000000'),
  }),
  fc.record({
    do: fc.constant('prefer' as const),
    key: fc.constant('wallet-rotate-amount-eth'),
    value: fc.constantFrom('0', '30000000000000000', '80000000000000000'),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), time: fc.constantFrom(MINUTE, 31 * MINUTE, DAY + HOUR) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({
    do: fc.constant('change notation' as const),
    of: fc.record(onEachBitcoinChain(() => fc.nat(9))),
  }),
);

const received = (type: 'user' | 'revolver', how: keyof typeof payerErrors): Step[] => [
  { do: 'invoice', type, code: 'btc', hundreds: 3 },
  ...(type === 'user' ? [{ do: 'rotate' as const, which: 0 }] : []),
  { do: 'pay', which: 0, how },
  { do: 'mine', code: 'btc', blocks: 3 },
  { do: 'look' },
];
const examples: Step[][] = [
  [
    { do: 'prefer', key: 'auto-withdrawal', value: false },
    ...received('revolver', 'exact'),
    { do: 'withdraw', which: 0, source: 'credited' },
    { do: 'look' },
    { do: 'evict', which: 0, whose: 'ours' },
    { do: 'cancel', which: 0 },
    { do: 'look' },
    ...received('user', 'exact'),
    { do: 'withdraw', which: 0, source: 'unattributed' },
    ...received('revolver', 'less'),
    { do: 'reject', which: 0, isRefunded: false },
    { do: 'look' },
    { do: 'withdraw', which: 0, source: 'rejected' },
    { do: 'reorg', code: 'btc', depth: 2, drop: true },
  ],
  [
    { do: 'invoice', type: 'revolver', code: 'btc', hundreds: 3 },
    { do: 'pay', which: 0, how: 'exact' },
    { do: 'look' },
    { do: 'evict', which: 0, whose: 'a payer’s' },
    { do: 'look' },
    { do: 'pass', time: 31 * MINUTE },
    { do: 'send again', which: 0 },
    { do: 'look' },
  ],
];
/** Number of fixed sequences; fewer on PostgreSQL, where only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 7 : 2, examples };

function kindOf(step: Step): string {
  switch (step.do) {
    case 'invoice':
      return `${step.type} invoice`;
    case 'pay':
      return `pay ${step.how}`;
    case 'fee':
      return step.times === 'usual' || step.times === 'low' ? 'fee' : 'fee spike';
    case 'evict':
      return `evict ${step.whose}`;
    case 'withdraw':
      return `withdraw ${step.source}`;
    case 'reorg':
      return step.drop ? 'reorg and drop' : step.do;
    case 'reject':
      return step.isRefunded ? 'reject and refund' : step.do;
    default:
      return step.do;
  }
}

/** Only amounts below the merchant's minimum are refused. */
function onlyTooLittle(error: unknown): null {
  assert.ok(error instanceof Problem && error.errors[0]?.code === 'below_minimum', String(error));
  return null;
}

/** One merchant, its payers, and the chains. */
class MerchantScenario {
  readonly #fixture: Fixture;
  readonly #merchant: TestMerchant;
  readonly #invoices: CryptoTransaction[] = [];
  /** Paid invoice, by transaction hash. */
  readonly paidFor: PaidFor = new Map();
  /** Hashes of payers' transactions that left the mempool. */
  readonly #evicted: string[] = [];
  /** Transaction outside the service that spends a deposit, by payment key. */
  readonly #coinsSpentOutside = new Map<string, string>();
  /** Addresses that sent ether or tokens outside the service. */
  readonly accountsUsedOutside = new Set<string>();
  readonly #outside: OutsideWallet;
  #made = 0;

  constructor(fixture: Fixture, merchant: TestMerchant) {
    this.#fixture = fixture;
    this.#merchant = merchant;
    this.#outside = new OutsideWallet(() => fixture, SERVICE_KEY);
  }

  get #context() {
    return this.#fixture.service().invoices.context;
  }

  #chain(code: CryptoCurrencyCode) {
    return this.#chainOf(cryptoCurrencies[code].chain);
  }

  #chainOf(name: ChainName): SimulatedChain {
    const chain = this.#fixture.service().simulatedChains[name];
    assert.ok(chain);
    return chain;
  }

  /** Returns false if the step was not applicable. */
  async take(step: Step): Promise<boolean> {
    switch (step.do) {
      case 'invoice': {
        this.#made += 1;
        const invoice = await createInvoice(this.#context, this.#merchant.id, {
          txId: `invoice-${this.#made}`,
          code: step.code,
          amount: String(BigInt(step.hundreds) * unitOf(step.code)),
          type: step.type,
        }).catch(onlyTooLittle);
        if (invoice) this.#invoices.unshift(invoice);
        return invoice !== null;
      }
      case 'pay': {
        const invoice = this.#invoice(step.which);
        const amount = payerErrors[step.how](BigInt(invoice?.amountRequired ?? 0));
        return invoice !== undefined && (await this.#send(invoice, invoice.code, amount));
      }
      case 'token': {
        const invoice = this.#invoice(step.which);
        const isTheirs = invoice && cryptoCurrencies[invoice.code].chain === 'ethereum';
        return isTheirs === true && (await this.#send(invoice, 'usdc', unitOf('usdc')));
      }
      case 'dust': {
        const users = this.#invoices.filter(({ type }) => type === 'user');
        const invoice = users[step.which % Math.max(1, users.length)];
        return invoice !== undefined && (await this.#send(invoice, invoice.code, 547n));
      }
      case 'spend outside':
        return await this.#spendOutside(step);
      case 'fee':
        await withdrawalsOf(() => this.#fixture).setFee(step.chain, feeRates[step.times][chains[step.chain].family]);
        return true;
      case 'mine':
        await this.#chain(step.code).mine(step.blocks);
        return true;
      case 'reorg': {
        const chain = this.#chain(step.code);
        const depth = Math.min(step.depth, (await chain.tip()).height);
        if (depth > 0) await chain.reorg(depth, { drop: step.drop ? await this.#minedWithin(chain, depth) : [] });
        return depth > 0;
      }
      case 'replace':
        return await this.#replace(step.which, step.toUs);
      case 'evict':
        return step.whose === 'ours'
          ? await this.#evictOurs(step.which)
          : await this.#withWaiting(step.which, async (chain, hash) => {
              await chain.evict(hash);
              this.#evicted.unshift(hash);
            });
      case 'send again': {
        const [hash] = this.#evicted.splice(step.which % Math.max(1, this.#evicted.length), 1);
        const paid = hash === undefined ? undefined : this.paidFor.get(hash);
        if (paid) await this.#chain(paid.code).pay(paid, hash);
        return paid !== undefined;
      }
      case 'rotate': {
        const invoice = this.#invoice(step.which);
        if (invoice) await rotateWallet(this.#context, this.#merchant.id, invoice.walletAddress);
        return invoice !== undefined;
      }
      case 'approve':
        return await this.#decide('approve', step.which);
      case 'reject':
        return await this.#decide('reject', step.which, step.isRefunded);
      case 'withdraw':
        return await this.#withdraw(step);
      case 'cancel':
        return await this.#cancel(step.which);
      case 'prefer':
        await invoicesOf(() => this.#fixture).prefer({ [step.key]: step.value }, this.#merchant);
        return true;
      case 'pass':
        this.#fixture.clock.advance(step.time);
        return true;
      case 'restart':
        await this.#restart();
        return true;
      case 'change notation':
        return await this.#changeNotation(step.of);
      case 'look':
        await this.runAndCheck();
        return true;
    }
  }

  #invoice(which: number): CryptoTransaction | undefined {
    return this.#invoices[which % Math.max(1, this.#invoices.length)];
  }

  async #restart(changed: Parameters<Fixture['restart']>[0] = {}): Promise<void> {
    await this.#fixture.restart(changed);
    // The lease of the previous reader must expire first.
    this.#fixture.clock.advance(MINUTE);
  }

  /** Writes the account keys in another notation, and restarts the service. */
  async #changeNotation(of: Record<BitcoinChainName, number>): Promise<boolean> {
    const write = async (chain: BitcoinChainName) => {
      const notations = notationsOf(chain, await sandboxKeys(SERVICE_KEY, chain));
      return notations[of[chain] % notations.length] ?? assert.fail();
    };
    const simulatedAccountKeys: Partial<Record<ChainName, string>> = {};
    for (const chain of bitcoinChains) simulatedAccountKeys[chain] = await write(chain);
    const before = this.#context.chains.all.map(({ name, accountKey }) => [name, accountKey] as const);
    await this.#restart({ simulatedAccountKeys });
    return before.some(([name, key]) => isBitcoinChain(name) && simulatedAccountKeys[name] !== key);
  }

  /** Runs all jobs until they are idle; then compares the service with the model. */
  async runAndCheck(): Promise<void> {
    await this.#work();
    const { database } = this.#fixture.service();
    await assertInvoices(database, this.#merchant.id, this.paidFor);
    await assertWithdrawals(database, this.#merchant.id);
  }

  async #work(): Promise<void> {
    const { jobs } = this.#fixture.service().invoices;
    for (let found = 1; found > 0; ) {
      found = 0;
      for (const job of jobs) found += await job.runOnce();
    }
  }

  async #send(invoice: CryptoTransaction, code: CryptoCurrencyCode, amount: bigint): Promise<boolean> {
    if (amount <= 0n) return false;
    const { txHash } = await this.#chain(invoice.code).pay({ address: invoice.walletAddress, code, amount });
    this.paidFor.set(txHash, { invoiceId: invoice.id, address: invoice.walletAddress, code, amount });
    return true;
  }

  /** Another wallet with the account's keys spends a mined deposit. */
  async #spendOutside({ which, ...how }: Extract<Step, { do: 'spend outside' }>): Promise<boolean> {
    const deposits = (await this.#deposits()).filter(
      ({ decision, ledger_account: account }) =>
        decision === 'accepted' && account !== 'withdrawn' && account !== 'written_off',
    );
    const deposit = deposits[which % Math.max(1, deposits.length)];
    if (!deposit) return false;
    const { payment_key: paymentKey, amount, derivation_index: index, address } = deposit;
    const chain = deposit.chain as ChainName;
    if (!isBitcoinChain(chain)) {
      const isSent = await this.#outside.sendFrom({ address, index }, deposit.code as CryptoCurrencyCode, how);
      this.accountsUsedOutside.add(address);
      return isSent;
    }
    const spent = await this.#outside.spendCoin(chain, { paymentKey, amount: BigInt(amount), index });
    if (spent !== null) this.#coinsSpentOutside.set(paymentKey, spent);
    return spent !== null;
  }

  /** Mined deposits of this merchant. */
  async #deposits() {
    return await db(this.#context.database)
      .selectFrom('deposits as deposit')
      .innerJoin('wallets', 'wallets.id', 'deposit.wallet_id')
      .innerJoin('crypto_transactions as transaction', 'transaction.id', 'deposit.crypto_transaction_id')
      .select(['deposit.payment_key', 'deposit.amount', 'deposit.decision', 'deposit.written_off_at'])
      .select(['deposit.withdrawal_id', 'deposit.chain', 'deposit.code', 'deposit.ledger_account'])
      .select(['wallets.address', 'wallets.derivation_index', 'wallets.state as wallet_state'])
      .select('wallets.code as wallet_code')
      .where('deposit.merchant_id', '=', this.#merchant.id)
      .where('deposit.state', '=', 'mined')
      .orderBy('deposit.id')
      .execute();
  }

  /**
   * Without further steps everything completes: due withdrawals are sent or report why they wait. Deposits spent outside
   * the service are written off once they are to be withdrawn, and no others are.
   */
  async settle(): Promise<void> {
    for (const chain of chainNames)
      await withdrawalsOf(() => this.#fixture).setFee(chain, feeRates.usual[chains[chain].family]);
    await invoicesOf(() => this.#fixture).prefer({ 'auto-withdrawal': true }, this.#merchant);
    await this.#quieten();
    for (let round = 0; round < 4; round += 1) {
      const losses = await this.#usedOutside();
      if (losses.length === 0) break;
      for (const { address: walletAddress, code } of losses)
        for (const source of ['credited', 'unattributed', 'rejected'] as const)
          await this.#order({ walletAddress, code, source });
      await this.#quieten();
    }
    assert.deepEqual(
      (await this.#usedOutside()).filter(({ code }) => isBitcoinChain(cryptoCurrencies[code].chain)),
      [],
      'spent outside, and not written off',
    );
    const unswept = (await this.#deposits()).filter(
      ({ ledger_account: account, withdrawal_id: id, wallet_state: state, ...deposit }) =>
        account === 'credited' && id === null && state === 'retired' && deposit.code === deposit.wallet_code,
    );
    // On chains of the Bitcoin family, uneconomic coins stay at their wallets.
    assert.deepEqual(
      unswept.filter(({ amount }) => BigInt(amount) > 547n),
      [],
      'credited, due, and in no withdrawal',
    );
    await assertOutsideTransfers(this.#fixture, [...this.accountsUsedOutside]);
  }

  /** Mines blocks and advances time until no deposit or withdrawal of this merchant is pending. */
  async #quieten(): Promise<void> {
    for (let round = 0; ; round += 1) {
      for (const name of chainNames) await this.#chainOf(name).mine(isBitcoinChain(name) ? 7 : 13);
      if (round > 0) await this.#outside.drop();
      this.#fixture.clock.advance(HOUR);
      await this.#work();
      const open = await db(this.#context.database)
        .selectFrom('withdrawals')
        .select([
          'id',
          'chain',
          'code',
          'purpose',
          'status',
          'waits_for',
          'spent',
          'fee_rate',
          'sender',
          'nonce',
          'height',
          'tx_hash',
        ])
        .where('merchant_id', '=', this.#merchant.id)
        .where('status', 'in', ['waiting', 'to_sign', 'sent'])
        .execute();
      // Too small for its fee: it waits until fees fall, maybe with a transaction sent while they were low. The next
      // ones from the same wallet then wait for its nonce.
      const lowFee = open.filter(
        ({ status, waits_for: reason, fee_rate: rate, chain }) =>
          reason?.startsWith('{"reason":"amount_too_small"') === true &&
          (status === 'waiting' || BigInt(rate ?? 0) < usualRate(chain as ChainName)),
      );
      const blocked = new Set(lowFee.filter(({ status }) => status !== 'waiting').map(({ sender }) => sender));
      const moving = open.filter(
        (each) =>
          !lowFee.includes(each) &&
          !(each.waits_for?.startsWith('{"reason":"queued"') === true && each.sender && blocked.has(each.sender)),
      );
      if (moving.length === 0) return;
      assert.ok(round < 8, `withdrawals do not end: ${JSON.stringify(moving)}`);
    }
  }

  /** Wallets whose deposits were spent outside the service in a block, and not written off. */
  async #usedOutside(): Promise<{ address: string; code: CryptoCurrencyCode }[]> {
    const found = new Map<string, { address: string; code: CryptoCurrencyCode }>();
    for (const { payment_key: key, written_off_at: at, address, ...deposit } of await this.#deposits()) {
      const code = deposit.code as CryptoCurrencyCode;
      const spending = this.#coinsSpentOutside.get(key);
      if (!isBitcoinChain(cryptoCurrencies[code].chain)) {
        const isUsed = this.accountsUsedOutside.has(address);
        assert.ok(at === null || isUsed, `${key} is written off, and ${address} was not used outside`);
        if (isUsed && at === null && deposit.withdrawal_id === null) found.set(`${address} ${code}`, { address, code });
        continue;
      }
      assert.ok(at === null || spending !== undefined, `${key} is written off, but was not spent outside the service`);
      if (spending === undefined || at !== null) continue;
      const chain = this.#chain(code);
      if ((await chain.outputStates([key], await chain.tip()))?.get(key) !== 'spent') continue;
      if ((await chain.findTransaction(spending, 0)).state === 'mined')
        found.set(`${address} ${code}`, { address, code });
    }
    return [...found.values()];
  }

  /** First payment in the last blocks. */
  async #minedWithin(chain: SimulatedChain, depth: number): Promise<string[]> {
    const { height } = await chain.tip();
    for (const hash of this.paidFor.keys()) {
      const found = await chain.findTransaction(hash, 0);
      if (found.state === 'mined' && found.block.height > height - depth) return [hash];
    }
    return [];
  }

  async #withWaiting(which: number, act: (chain: SimulatedChain, hash: string) => Promise<void>): Promise<boolean> {
    const sent = [...this.paidFor].reverse();
    const [hash, paid] = sent[which % Math.max(1, sent.length)] ?? [];
    if (!hash || !paid) return false;
    const chain = this.#chain(paid.code);
    const { state } = await chain.findTransaction(hash, 0);
    if (state === 'waiting') await act(chain, hash);
    return state === 'waiting';
  }

  async #replace(which: number, toUs: boolean): Promise<boolean> {
    return await this.#withWaiting(which, async (chain, hash) => {
      const paid = this.paidFor.get(hash);
      assert.ok(paid);
      const { address, code } = paid;
      const amount = paid.amount + 13n;
      const other = await chain.replace(hash, toUs ? { address, code, amount } : undefined);
      if (toUs && other) this.paidFor.set(other.txHash, { ...paid, amount });
    });
  }

  /** Evicts a pending withdrawal from the mempool. */
  async #evictOurs(which: number): Promise<boolean> {
    const waiting = await db(this.#context.database)
      .selectFrom('withdrawal_versions as version')
      .innerJoin('withdrawals', 'withdrawals.id', 'version.withdrawal_id')
      .innerJoin('simulated_transactions as tx', 'tx.tx_hash', 'version.tx_hash')
      .select(['withdrawals.chain', 'tx.tx_hash'])
      .where('withdrawals.merchant_id', '=', this.#merchant.id)
      .where('tx.state', '=', 'waiting')
      .orderBy('version.id', 'desc')
      .execute();
    const one = waiting[which % Math.max(1, waiting.length)];
    if (one) await this.#chainOf(one.chain as ChainName).evict(one.tx_hash);
    return one !== undefined;
  }

  /** A manager withdraws from a wallet; does nothing if it is empty. */
  async #withdraw({ which, source }: Extract<Step, { do: 'withdraw' }>): Promise<boolean> {
    const invoice = this.#invoice(which);
    if (!invoice) return false;
    const { code, walletAddress } = invoice;
    return await this.#order({ walletAddress, code, source });
  }

  async #order(
    order: Pick<Parameters<typeof createWithdrawal>[2], 'walletAddress' | 'code' | 'source'>,
  ): Promise<boolean> {
    const request = { ...order, destination: otherExternal[cryptoCurrencies[order.code].chain] };
    const manager = { merchantId: this.#merchant.id, identity: 'a manager' };
    try {
      await createWithdrawal(this.#context, manager, request, () => Promise.resolve());
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
  }

  /** A manager cancels a withdrawal: immediately before it is signed, otherwise by a replacement. */
  async #cancel(which: number): Promise<boolean> {
    const open = await db(this.#context.database)
      .selectFrom('withdrawals')
      .select(['id', 'public_id'])
      .where('merchant_id', '=', this.#merchant.id)
      .where('status', 'in', ['waiting', 'to_sign', 'sent'])
      .orderBy('id', 'desc')
      .execute();
    const one = open[which % Math.max(1, open.length)];
    if (!one) return false;
    const manager = { merchantId: this.#merchant.id, role: 'manager' } as const;
    const signed = await db(this.#context.database)
      .selectFrom('withdrawal_versions')
      .select('id')
      .where('withdrawal_id', '=', one.id)
      .where('raw', 'is not', null)
      .execute();
    try {
      await cancelWithdrawal(this.#context, manager, one.public_id, () => Promise.resolve());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
    const { status, cancel_requested_at: since } = await db(this.#context.database)
      .selectFrom('withdrawals')
      .select(['status', 'cancel_requested_at'])
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow();
    assert.equal(
      status === 'failed',
      signed.length === 0,
      'a cancellation is immediate only without a signed transaction',
    );
    assert.equal(since !== null, signed.length > 0);
    return true;
  }

  async #decide(verdict: 'approve' | 'reject', which: number, isRefunded = false): Promise<boolean> {
    const waiting = await db(this.#context.database)
      .selectFrom('crypto_transactions')
      .select(['public_id', 'type', 'chain'])
      .where('merchant_id', '=', this.#merchant.id)
      .where('status', '=', 'approved_required')
      .where('kind', '<>', 'stray')
      .orderBy('id')
      .execute();
    const one = waiting[which % Math.max(1, waiting.length)];
    if (!one) return false;
    const decision = { id: one.public_id, reviewer: 'a person', reason: null };
    if (verdict === 'approve') await approveTransaction(this.#context, this.#merchant.id, decision);
    else {
      const refundAddress = isRefunded && one.type !== 'user' ? external[one.chain as ChainName] : null;
      await rejectTransaction(this.#context, this.#merchant.id, { ...decision, refundAddress });
    }
    return true;
  }
}

describe('random sequences of merchants, payers and chains', () => {
  let fixture: Fixture;
  let usedOutside: string[] = [];
  const open = async () => {
    usedOutside = [];
    fixture = await openFixture({ env: { PAYLATCH_SECRET_KEY: SERVICE_KEY, WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' } });
    await fixture.work();
    await withdrawalsOf(() => fixture).fillGasWallet(100n * 10n ** 18n);
  };
  before(open);
  after(async () => await fixture.close({ usedOutside }));

  test('every deposit is accounted for once, attributed correctly, and reported', async (context) => {
    const runSequence = async (sequence: Step[], tally: StepCounts) => {
      if (tally.sequences % TOGETHER === 0) {
        await fixture.close({ usedOutside });
        await open();
      }
      const merchant = await fixture.makeMerchant('Kettle & Co');
      const settings = {
        'callback-url': 'http://localhost:1/callbacks',
        'auto-withdrawal': true,
        'auto-withdrawal-destination-btc': external.bitcoin,
        'auto-withdrawal-destination-ltc': external.litecoin,
        'auto-withdrawal-destination-usdt': external.ethereum,
        'auto-withdrawal-destination-eth': external.ethereum,
      };
      await invoicesOf(() => fixture).prefer(settings, merchant);
      const shop = new MerchantScenario(fixture, merchant);
      for (const each of sequence) tally.count(kindOf(each), await shop.take(each));
      await shop.settle();
      await shop.runAndCheck();
      usedOutside.push(...shop.accountsUsedOutside);
      const { database, invoices } = fixture.service();
      await assertLedger(database, invoices.context.chains.all, usedOutside);
    };
    await runSequences(context, {
      sequences: fc.array(step, STEPS),
      fixed: FIXED,
      steps: step,
      kindOf,
      play: runSequence,
    });
  });
});
