import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Service } from '../../src/app.ts';
import { DAY, HOUR } from '../../src/shared/time.ts';
import { createInvoice } from '../../src/invoices/create.ts';
import { approveTransaction } from '../../src/invoices/review.ts';
import { rotateWallet } from '../../src/invoices/rotate.ts';
import { Problem } from '../../src/api/problem-error.ts';
import { allOf } from '../support/all-of.ts';
import { testEngine } from '../support/databases.ts';
import { assertInvoices, type PaidFor } from '../support/invoice-checks.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

const RUNS = Number(process.env['INVOICE_CONCURRENCY_RUNS'] ?? (testEngine === 'sqlite' ? 12 : 8));

/** Runs requests concurrently, half of them on each of two processes. */
type Deed =
  | { do: 'invoice'; type: 'static' | 'revolver' | 'user'; amount: number }
  | { do: 'same' }
  | { do: 'approve' }
  | { do: 'rotate' }
  | { do: 'watch' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('invoice' as const),
      type: fc.constantFrom('static' as const, 'revolver' as const, 'revolver' as const, 'user' as const),
      amount: fc.integer({ min: 1, max: 12 }).map((hundreds) => hundreds * 100),
    }),
  },
  fc.record({ do: fc.constantFrom('same' as const, 'approve' as const, 'rotate' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('watch' as const) }) },
);
/** Requests run concurrently; then all invoices are paid, blocks are mined, and sometimes a day passes. */
const round = fc.record({
  deeds: fc.array(deed, { minLength: 4, maxLength: 12 }),
  blocks: fc.constantFrom(1, 2, 3, 101),
  isNextDay: fc.boolean(),
});

describe('concurrent requests to two processes', () => {
  let fixture: Fixture;
  let other: Service;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
    other = await fixture.another();
  });
  after(async () => {
    await other.close();
    await fixture.close();
  });

  const processes = () => [fixture.service(), other] as const;

  async function doIt(service: Service, merchant: TestMerchant, what: Deed, name: string): Promise<void> {
    const { context, jobs } = service.invoices;
    const selectRows = async (table: 'crypto_transactions' | 'wallets') =>
      await db(context.database)
        .selectFrom(table as 'crypto_transactions')
        .selectAll()
        .where('merchant_id', '=', merchant.id)
        .orderBy('id', 'desc')
        .limit(5)
        .execute();
    switch (what.do) {
      case 'invoice':
      case 'same': {
        const { type = 'revolver', amount = 700 } = what.do === 'invoice' ? what : {};
        const txId = what.do === 'same' ? 'the-same' : name;
        await createInvoice(context, merchant.id, { txId, code: 'btc', amount: String(amount), type });
        return;
      }
      case 'approve':
        for (const { public_id: id } of await selectRows('crypto_transactions'))
          await approveTransaction(context, merchant.id, { id, reviewer: 'a person', reason: null }).catch(
            onlyNothingToReview,
          );
        return;
      case 'rotate': {
        const [wallet] = (await selectRows('wallets')) as unknown as { address: string }[];
        if (wallet) await rotateWallet(context, merchant.id, wallet.address);
        return;
      }
      case 'watch':
        for (const job of jobs) await job.runOnce();
    }
  }

  async function watch(service: Service): Promise<void> {
    for (let found = 1; found > 0; ) {
      found = 0;
      for (const job of service.invoices.jobs) found += await job.runOnce();
    }
  }

  test('each free wallet serves one of the concurrent requests', async () => {
    const merchant = await fixture.makeMerchant('Kettle & Co');
    const { chain, create, pay } = invoicesOf(() => fixture);
    const former = [];
    for (let index = 1; index <= 6; index += 1) former.push(await create({ amount: String(index * 1000) }, merchant));
    for (const invoice of former) await pay(invoice);
    await chain().mine(2);
    await watch(fixture.service());
    await chain().mine(100);
    await watch(fixture.service());
    fixture.clock.advance(DAY + HOUR);
    const invoices = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const { context } = processes()[index % 2 === 0 ? 0 : 1].invoices;
        const request = { code: 'btc', amount: String(50_000 + index), type: 'revolver' } as const;
        return await createInvoice(context, merchant.id, { txId: `at-once-${index}`, ...request });
      }),
    );
    const addresses = invoices.map(({ walletAddress }) => walletAddress);
    assert.equal(new Set(addresses).size, addresses.length);
    const again = former.filter(({ walletAddress }) => addresses.includes(walletAddress));
    assert.ok(again.length > 0, 'no wallet was reused');
  });

  test('no wallet serves two invoices, and no deposit is lost or credited twice', async (context) => {
    let invoices = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 2, maxLength: 5 }), async (rounds) => {
        const merchant = await fixture.makeMerchant('Kettle & Co');
        const { chain, list, prefer } = invoicesOf(() => fixture);
        await prefer({ 'callback-url': 'http://localhost:1/callbacks' }, merchant);
        const paidFor: PaidFor = new Map();
        const paid = new Set<string>();
        for (const [number, { deeds, blocks, isNextDay }] of rounds.entries()) {
          await allOf(
            deeds.map(async (what, index) => {
              const service = processes()[index % 2];
              assert.ok(service);
              await doIt(service, merchant, what, `invoice-${number}-${index}`);
            }),
          );
          for (const invoice of await list({ status: 'pending' }, merchant)) {
            if (paid.has(invoice.id)) continue;
            paid.add(invoice.id);
            const { id: invoiceId, walletAddress: address, code } = invoice;
            const amount = BigInt(invoice.amountRequired ?? 0);
            const { txHash } = await chain().pay({ address, code, amount });
            paidFor.set(txHash, { invoiceId, address, code, amount });
          }
          await chain().mine(blocks);
          if (isNextDay) fixture.clock.advance(DAY + HOUR);
        }
        await allOf(processes().map(watch));
        await watch(fixture.service());
        await watch(other);
        await assertInvoices(fixture.service().database, merchant.id, paidFor);
        invoices += paid.size;
      }),
      { numRuns: RUNS, includeErrorInReport: true, endOnFailure: true },
    );
    context.diagnostic(`${RUNS} sequences, ${invoices} invoices`);
  });
});

/** Ignores reviews that another process did, or that are not needed. */
function onlyNothingToReview(error: unknown): null {
  assert.ok(error instanceof Problem && error.code === 'nothing_to_review', String(error));
  return null;
}
