import { Hono } from 'hono';
import { toCoins } from '../../api/crypto-amount.ts';
import type { ChainSimulatorPage } from '../../api/chain-simulator-page.ts';
import { scanJobName } from '../../chains/cursor.ts';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import type { RenderedPage } from '../../http/rendered-page.ts';
import { Problem } from '../../api/problem-error.ts';
import type { JobRunner } from '../../jobs/runner.ts';
import type { InvoicesContext } from '../context.ts';
import { LINK_PAYMENTS_JOB } from '../link-payments/job.ts';
import { invoicePath, simulatorPath } from '../api-transaction.ts';
import { type InvoicePageRecords, readPageRecords } from '../page-records.ts';
import { confirmationsOf } from '../../deposits/deposit.ts';
import { toEvaluated } from '../evaluate.ts';
import { type SimulatedPayment, otherCurrency, runAction } from './actions.ts';

export interface ChainSimulatorPages {
  /** Renders the simulator page: its HTML and its content security policy. */
  renderChainSimulatorPage(page: ChainSimulatorPage): RenderedPage;
}

/** Routes of the simulator for the payer and chain of an invoice. */
export function chainSimulatorRoutes(options: {
  context: InvoicesContext;
  pages: ChainSimulatorPages;
  jobs: Pick<JobRunner, 'runUntilIdle'>;
}): Hono<HttpEnv> {
  const { context, pages, jobs } = options;

  const open = async (http: HttpContext): Promise<{ records: InvoicePageRecords; payment: SimulatedPayment }> => {
    const records = await readPageRecords(context.database, http.req.param('publicId') ?? '', null);
    const chain = records && context.simulatedChains[records.transaction.chain];
    if (!records || !chain) throw new Problem('not_found', 'No simulated invoice was found at this address.');
    return { records, payment: { ...records, chain } };
  };

  return new Hono<HttpEnv>()
    .get('/sandbox/chain/:publicId', async (http) => {
      const { records, payment } = await open(http);
      const { html, contentSecurityPolicy } = pages.renderChainSimulatorPage(
        await describeSimulatorPage(context, records, payment),
      );
      http.header('Content-Security-Policy', contentSecurityPolicy);
      return http.html(html);
    })

    .post('/sandbox/chain/:publicId', async (http) => {
      const { payment } = await open(http);
      await runAction(payment, await readForm(http));
      await jobs.runUntilIdle([scanJobName(payment.transaction.chain)]);
      await jobs.runUntilIdle([LINK_PAYMENTS_JOB]);
      return http.redirect(simulatorPath(http.req.param('publicId')), 303);
    });
}

async function describeSimulatorPage(
  { chains }: Pick<InvoicesContext, 'chains'>,
  { transaction, wallet, deposits, tipHeight, merchant }: InvoicePageRecords,
  { chain }: SimulatedPayment,
): Promise<ChainSimulatorPage> {
  const { code, amountRequired, publicId, paysFor } = transaction;
  // A payment link requests an amount, although its `user` wallet accepts any.
  const requested = paysFor === null ? toEvaluated(transaction).amountRequired : amountRequired;
  const formatAmount = (each: { code: typeof code; amount: bigint }) =>
    `${toCoins(each.amount, each.code)} ${each.code.toUpperCase()}`;
  const waiting = await chain.unconfirmedTo(wallet.address);
  return {
    merchantName: merchant.name,
    reference: paysFor ?? transaction.txId,
    network: chains.forCurrency(code)?.network ?? transaction.chain,
    address: wallet.address,
    requestedAmount: requested === null ? null : formatAmount({ code, amount: requested }),
    initialAmount: amountRequired === null ? '' : toCoins(amountRequired, code),
    status: transaction.status,
    labels: transaction.labels,
    height: (await chain.tip()).height,
    payments: deposits.map((payment) => ({
      txHash: payment.txHash,
      amount: formatAmount(payment),
      confirmations: confirmationsOf(payment, tipHeight),
      decision: payment.decision,
    })),
    waiting: waiting.map((each) => ({ txHash: each.txHash, amount: formatAmount(each) })),
    currencies: [code, ...chain.currencies.filter((each) => each !== code)].map((each) => each.toUpperCase()),
    otherCurrency: otherCurrency(chain, code)?.toUpperCase() ?? null,
    actionUrl: simulatorPath(publicId),
    returnUrl: invoicePath(publicId),
  };
}
