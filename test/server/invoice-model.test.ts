import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { accountOfSeed } from '../../src/chains/seed-accounts.ts';
import { type SimulatedChain, simulatedBitcoinNetwork } from '../../src/chains/simulated/chain.ts';
import { sandboxSeed } from '../../src/chains/simulated/connect.ts';
import { type ChainName, type CryptoCurrencyCode, cryptoCurrencies } from '../../src/contract/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/contract/crypto-transaction.ts';
import { DAY, HOUR, MINUTE } from '../../src/contract/time.ts';
import { createInvoice } from '../../src/invoices/create.ts';
import { approve, reject } from '../../src/invoices/decide.ts';
import { Problem } from '../../src/platform/problem.ts';
import { rotateWallet } from '../../src/invoices/rotate.ts';
import { createWithdrawal } from '../../src/invoices/withdrawals/create.ts';
import { testEngine } from '../support/databases.ts';
import { assertInvoiceBooks, type PaidFor, payerMistakes } from '../support/invoice-books.ts';
import { invoicesOf } from '../support/invoices.ts';
import { assertLedgerBooks } from '../support/ledger-books.ts';
import { assertWithdrawalBooks } from '../support/withdrawal-books.ts';
import { elsewhere, outside, withdrawalsOf } from '../support/withdrawals.ts';
import { openWorld, type TestMerchant, type World } from '../support/world.ts';

/** Sequences in one run of the test, fewer where each takes longer; SEED plays others. */
const RUNS = Number(process.env['INVOICE_MODEL_RUNS'] ?? (testEngine === 'sqlite' ? 360 : 35));
/** Plays sequences of random seeds for so long, instead of a number of them. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 0);
const SERVICE_KEY = 'ab'.repeat(32);
/** Sequences of merchants that share a service and its chains; what more of them leave behind makes each slower. */
const TOGETHER = 20;
/** Worth to be withdrawn on a chain that asks a fee for it. */
const HUNDRED = 100_000;
const STEPS = { minLength: 40, maxLength: 80 };

type Step =
  | { do: 'invoice'; type: 'static' | 'revolver' | 'user'; code: CryptoCurrencyCode; hundreds: number }
  | { do: 'pay'; which: number; how: keyof typeof payerMistakes }
  | { do: 'token' | 'dust' | 'spend-outside'; which: number }
  | { do: 'fee'; chain: ChainName; times: keyof typeof feeRates }
  | { do: 'mine'; code: CryptoCurrencyCode; blocks: number }
  | { do: 'reorganise'; code: CryptoCurrencyCode; depth: number; drop: boolean }
  | { do: 'replace'; which: number; toUs: boolean }
  | { do: 'evict' | 'rotate'; which: number }
  | { do: 'approve'; which: number }
  | { do: 'reject'; which: number; isRefunded: boolean }
  | { do: 'withdraw'; which: number; source: 'credited' | 'stray' | 'rejected' }
  | { do: 'prefer'; key: string; value: boolean | string }
  | { do: 'pass'; time: number }
  | { do: 'look' }
  | { do: 'restart' };

/** Fee rates by chain: usual, as low as it gets, high within the bounds of operators, and beyond them. */
const feeRates = {
  usual: { bitcoin: 5n, litecoin: 5n, ethereum: 20n },
  low: { bitcoin: 1n, litecoin: 1n, ethereum: 1n },
  high: { bitcoin: 80n, litecoin: 80n, ethereum: 150n },
  absurd: { bitcoin: 100_000n, litecoin: 100_000n, ethereum: 1_000_000n },
} as const;

const codes = fc.constantFrom<CryptoCurrencyCode>('btc', 'btc', 'btc', 'usdt', 'eth', 'ltc');
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
    arbitrary: fc.record({ do: fc.constantFrom('token' as const, 'dust' as const, 'spend-outside' as const), which }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('spend-outside' as const), which }) },
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
      do: fc.constant('reorganise' as const),
      code: codes,
      depth: fc.constantFrom(1, 1, 2, 3, 8),
      drop: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), which, toUs: fc.boolean() }) },
  fc.record({ do: fc.constantFrom('evict' as const, 'evict' as const, 'rotate' as const), which }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reject' as const), which, isRefunded: fc.boolean() }) },
  fc.record({
    do: fc.constant('withdraw' as const),
    which,
    source: fc.constantFrom('credited' as const, 'stray' as const, 'rejected' as const),
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
    key: fc.constantFrom('wallet-rotate-amount-btc', 'min-amount-btc', 'wallet-rotate-amount-usdt'),
    value: fc.constantFrom('0', '150000', '400000'),
  }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), time: fc.constantFrom(MINUTE, 31 * MINUTE, DAY + HOUR) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
  fc.record({ do: fc.constant('restart' as const) }),
);

/** What is less than the merchant takes is refused; nothing else is. */
function onlyTooLittle(error: unknown): null {
  assert.ok(error instanceof Problem && error.errors[0]?.code === 'below_minimum', String(error));
  return null;
}

const keys = accountOfSeed(sandboxSeed(Buffer.from(SERVICE_KEY, 'hex')), 'bitcoin', { isTest: true });

/** One merchant, its payers, and the chains. */
class Play {
  readonly #world: World;
  readonly #merchant: TestMerchant;
  readonly #invoices: CryptoTransaction[] = [];
  /** By the hash of the transaction: for which invoice somebody has sent it. */
  readonly paidFor: PaidFor = new Map();
  /** By the key of a deposit: the transaction that spends it past the service. */
  readonly spentOutside = new Map<string, string>();
  #made = 0;

  constructor(world: World, merchant: TestMerchant) {
    this.#world = world;
    this.#merchant = merchant;
  }

  get #context() {
    return this.#world.service().invoices.context;
  }

  #chain(code: CryptoCurrencyCode) {
    const chain = this.#world.service().simulatedChains[cryptoCurrencies[code].chain];
    assert.ok(chain);
    return chain;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'invoice': {
        this.#made += 1;
        const invoice = await createInvoice(this.#context, this.#merchant.id, {
          txId: `invoice-${this.#made}`,
          code: step.code,
          amount: String(step.hundreds * HUNDRED),
          type: step.type,
        }).catch(onlyTooLittle);
        if (invoice) this.#invoices.unshift(invoice);
        return;
      }
      case 'pay': {
        const invoice = this.#invoices[step.which % Math.max(1, this.#invoices.length)];
        if (!invoice) return;
        await this.#send(invoice, invoice.code, payerMistakes[step.how](BigInt(invoice.amountRequired ?? 0)));
        return;
      }
      case 'token': {
        const invoice = this.#invoices[step.which % Math.max(1, this.#invoices.length)];
        if (invoice && cryptoCurrencies[invoice.code].chain === 'ethereum')
          await this.#send(invoice, 'usdc', BigInt(HUNDRED));
        return;
      }
      case 'dust': {
        const users = this.#invoices.filter(({ type }) => type === 'user');
        const invoice = users[step.which % Math.max(1, users.length)];
        if (invoice) await this.#send(invoice, invoice.code, 547n);
        return;
      }
      case 'spend-outside':
        await this.#spendOutside(step.which);
        return;
      case 'fee':
        await withdrawalsOf(() => this.#world).setFee(step.chain, feeRates[step.times][step.chain]);
        return;
      case 'mine':
        await this.#chain(step.code).mine(step.blocks);
        return;
      case 'reorganise': {
        const chain = this.#chain(step.code);
        const depth = Math.min(step.depth, (await chain.tip()).height);
        if (depth > 0) await chain.reorganise(depth, { drop: step.drop ? await this.#minedWithin(chain, depth) : [] });
        return;
      }
      case 'replace':
        await this.#replace(step.which, step.toUs);
        return;
      case 'evict':
        await this.#withWaiting(step.which, async (chain, hash) => await chain.evict(hash));
        return;
      case 'rotate': {
        const invoice = this.#invoices[step.which % Math.max(1, this.#invoices.length)];
        if (invoice) await rotateWallet(this.#context, this.#merchant.id, invoice.walletAddress);
        return;
      }
      case 'approve':
        await this.#decide('approve', step.which);
        return;
      case 'reject':
        await this.#decide('reject', step.which, step.isRefunded);
        return;
      case 'withdraw':
        await this.#withdraw(step);
        return;
      case 'prefer':
        await invoicesOf(() => this.#world).prefer({ [step.key]: step.value }, this.#merchant);
        return;
      case 'pass':
        this.#world.clock.advance(step.time);
        return;
      case 'restart':
        await this.#world.restart();
        // Whoever watched is believed to do so for a while.
        this.#world.clock.advance(MINUTE);
        return;
      case 'look':
        await this.look();
    }
  }

  /** All jobs of invoices, until they find nothing; then the books must be right. */
  async look(): Promise<void> {
    await this.#work();
    const { database } = this.#world.service();
    await assertInvoiceBooks(database, this.#merchant.id, this.paidFor);
    await assertWithdrawalBooks(database, this.#merchant.id);
  }

  async #work(): Promise<void> {
    const { jobs } = this.#world.service().invoices;
    for (let found = 1; found > 0; ) {
      found = 0;
      for (const job of jobs) found += await job.round();
    }
  }

  async #send(invoice: CryptoTransaction, code: CryptoCurrencyCode, amount: bigint): Promise<void> {
    if (amount <= 0n) return;
    const { txHash } = await this.#chain(invoice.code).pay({ address: invoice.walletAddress, code, amount });
    this.paidFor.set(txHash, { invoiceId: invoice.id, address: invoice.walletAddress, code, amount });
  }

  /** The account's keys in another wallet spend a deposit that a block holds, past the service. */
  async #spendOutside(which: number): Promise<void> {
    const coins = (await this.#deposits()).filter(({ decision, written_off_at: off }) => {
      return decision === 'accepted' && off === null;
    });
    const coin = coins[which % Math.max(1, coins.length)];
    if (
      !coin ||
      (await this.#chain('btc').coinStates([coin.payment_key], await this.#chain('btc').tip()))?.get(
        coin.payment_key,
      ) === 'spent'
    )
      return;
    const { publicKey: accountKey, privateKey } = await keys;
    const spender = createBitcoinSpender({ network: simulatedBitcoinNetwork, accountKey, privateKey });
    const { payment_key: paymentKey, amount, derivation_index: index } = coin;
    const spent = { paymentKey, amount: BigInt(amount), index };
    const built = spender.build({ coins: [spent], destination: elsewhere.bitcoin, feeRate: 90n });
    if (built.kind !== 'built') return;
    const { raw } = await spender.sign(built.data);
    // Refused where a withdrawal that waits pays more.
    if ((await this.#chain('btc').send(raw)).kind === 'sent') this.spentOutside.set(paymentKey, built.txHash ?? '');
  }

  /** Bitcoin of this merchant's that blocks hold. */
  async #deposits() {
    return await this.#context.database.query
      .selectFrom('chain_payments as payment')
      .innerJoin('wallets', 'wallets.id', 'payment.wallet_id')
      .innerJoin('crypto_transactions as transaction', 'transaction.id', 'payment.crypto_transaction_id')
      .select(['payment.payment_key', 'payment.amount', 'payment.decision', 'payment.written_off_at'])
      .select(['payment.withdrawal_id', 'wallets.address', 'wallets.derivation_index'])
      .where('payment.merchant_id', '=', this.#merchant.id)
      .where('payment.chain', '=', 'bitcoin')
      .where('payment.state', '=', 'mined')
      .orderBy('payment.id')
      .execute();
  }

  /** With fees as usual, withdrawing what was spent outside writes it off, and nothing else is. */
  async settle(): Promise<void> {
    for (const chain of ['bitcoin', 'ethereum', 'litecoin'] as const)
      await withdrawalsOf(() => this.#world).setFee(chain, feeRates.usual[chain]);
    if (this.spentOutside.size === 0) return;
    const bitcoin = this.#chain('btc');
    const unwritten = async () => {
      const keysOfDeposits = (await this.#deposits()).map(({ payment_key: key }) => key);
      const states = await bitcoin.coinStates(keysOfDeposits, await bitcoin.tip());
      const waiting = new Set<string>();
      for (const { payment_key: key, written_off_at: at, address } of await this.#deposits()) {
        const spending = this.spentOutside.get(key);
        const isOutside =
          spending !== undefined &&
          states?.get(key) === 'spent' &&
          (await bitcoin.lookUp(spending, 0)).state === 'mined';
        assert.ok(at === null || spending !== undefined, `${key} is written off, and nobody spent it outside`);
        if (isOutside && at === null) waiting.add(address);
      }
      return [...waiting];
    };
    await bitcoin.mine(8);
    await this.look();
    for (let round = 0; round < 4 && (await unwritten()).length > 0; round += 1) {
      for (const walletAddress of await unwritten())
        for (const source of ['credited', 'stray', 'rejected'] as const)
          await this.#order({ walletAddress, code: 'btc', source });
      this.#world.clock.advance(HOUR);
      await this.look();
      await bitcoin.mine(8);
      await this.look();
    }
    assert.deepEqual(await unwritten(), [], 'spent outside, and not written off');
  }

  /** The first of what was paid in the last blocks. */
  async #minedWithin(chain: SimulatedChain, depth: number): Promise<string[]> {
    const { height } = await chain.tip();
    for (const hash of this.paidFor.keys()) {
      const found = await chain.lookUp(hash, 0);
      if (found.state === 'mined' && found.block.height > height - depth) return [hash];
    }
    return [];
  }

  async #withWaiting(which: number, act: (chain: SimulatedChain, hash: string) => Promise<void>): Promise<void> {
    const sent = [...this.paidFor].reverse();
    const [hash, paid] = sent[which % Math.max(1, sent.length)] ?? [];
    if (!hash || !paid) return;
    const chain = this.#chain(paid.code);
    const { state } = await chain.lookUp(hash, 0);
    if (state === 'waiting') await act(chain, hash);
  }

  async #replace(which: number, toUs: boolean): Promise<void> {
    await this.#withWaiting(which, async (chain, hash) => {
      const paid = this.paidFor.get(hash);
      assert.ok(paid);
      const { address, code } = paid;
      const amount = paid.amount + 13n;
      const other = await chain.replace(hash, toUs ? { address, code, amount } : undefined);
      if (toUs && other) this.paidFor.set(other.txHash, { ...paid, amount });
    });
  }

  /** A manager sends the money of a wallet away; where there is none, nothing happens. */
  async #withdraw({ which, source }: Extract<Step, { do: 'withdraw' }>): Promise<void> {
    const invoice = this.#invoices[which % Math.max(1, this.#invoices.length)];
    if (!invoice) return;
    const { code, walletAddress } = invoice;
    await this.#order({ walletAddress, code, source });
  }

  async #order(
    order: Pick<Parameters<typeof createWithdrawal>[2], 'walletAddress' | 'code' | 'source'>,
  ): Promise<void> {
    const request = { ...order, destination: elsewhere[cryptoCurrencies[order.code].chain] };
    const manager = { merchantId: this.#merchant.id, identity: 'a manager' };
    await createWithdrawal(this.#context, manager, request, () => Promise.resolve()).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  }

  async #decide(verdict: 'approve' | 'reject', which: number, isRefunded = false): Promise<void> {
    const waiting = await this.#context.database.query
      .selectFrom('crypto_transactions')
      .select(['public_id', 'type', 'chain'])
      .where('merchant_id', '=', this.#merchant.id)
      .where('status', '=', 'approved_required')
      .where('kind', '<>', 'stray')
      .orderBy('id')
      .execute();
    const one = waiting[which % Math.max(1, waiting.length)];
    if (!one) return;
    const decision = { id: one.public_id, by: 'a person', reason: null };
    if (verdict === 'approve') await approve(this.#context, this.#merchant.id, decision);
    else {
      const refundAddress = isRefunded && one.type !== 'user' ? outside[one.chain as ChainName] : null;
      await reject(this.#context, this.#merchant.id, { ...decision, refundAddress });
    }
  }
}

describe('whatever merchants, payers and chains do', () => {
  let world: World;
  const open = async () => {
    world = await openWorld({ env: { PAYLATCH_SECRET_KEY: SERVICE_KEY, WITHDRAWAL_DESTINATION_DELAY_HOURS: '0' } });
    await world.work();
    await withdrawalsOf(() => world).fillGasWallet(10n ** 18n);
  };
  before(open);
  after(async () => await world.close());

  test('all money is accounted for once, nobody’s is taken for another’s, and everything is told', async (context) => {
    let steps = 0;
    let payments = 0;
    let spentOutside = 0;
    let played = 0;
    const property = fc.asyncProperty(fc.array(step, STEPS), async (sequence) => {
      played += 1;
      if (played % TOGETHER === 0) {
        await world.close();
        await open();
      }
      const merchant = await world.makeMerchant('Kettle & Co');
      const settings = {
        'callback-url': 'http://localhost:1/callbacks',
        'auto-withdrawal': true,
        'auto-withdrawal-destination-btc': outside.bitcoin,
        'auto-withdrawal-destination-usdt': outside.ethereum,
        'auto-withdrawal-destination-ltc': outside.litecoin,
      };
      await invoicesOf(() => world).prefer(settings, merchant);
      const play = new Play(world, merchant);
      for (const each of sequence) await play.take(each);
      await play.look();
      await play.settle();
      const { database, invoices } = world.service();
      await assertLedgerBooks(database, invoices.context.chains.all);
      steps += sequence.length;
      payments += play.paidFor.size;
      spentOutside += play.spentOutside.size;
    });
    const given = process.env['SEED'];
    const first = given ? Number(given) : randomInt(2 ** 31);
    const end = performance.now() + SECONDS * 1000;
    for (let batch = 0; batch === 0 || performance.now() < end; batch += 1) {
      await fc.assert(property, {
        numRuns: SECONDS > 0 ? TOGETHER : RUNS,
        includeErrorInReport: true,
        // Smaller examples take their time: SHRINK=1 looks for them.
        endOnFailure: !process.env['SHRINK'],
        ...((given !== undefined || SECONDS > 0) && { seed: first + batch }),
        ...(process.env['REPLAY'] && { path: process.env['REPLAY'] }),
      });
    }
    context.diagnostic(
      `${played} sequences, ${steps} steps, ${payments} payments, ${spentOutside} deposits spent outside`,
    );
  });
});
