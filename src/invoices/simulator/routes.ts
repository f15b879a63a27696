import { Hono } from 'hono';
import { inCoins } from '../../api/crypto-amount.ts';
import type { ChainSimulatorPage } from '../../shared/chain-simulator-page.ts';
import type { ChainName } from '../../shared/crypto-currency.ts';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import type { RenderedPage } from '../../http/rendered-page.ts';
import { Problem } from '../../api/problem-error.ts';
import type { InvoicesContext } from '../context.ts';
import { invoicePath, simulatorPath } from '../describe.ts';
import { type PageReading, readPage } from '../page-reading.ts';
import { confirmationsOf } from '../../deposits/deposit.ts';
import { evaluatedOf } from '../evaluate.ts';
import { type SimulatedPayment, otherCurrency, runAction } from './actions.ts';

export interface ChainSimulatorPages {
  /** Draws the simulator's page: its whole HTML and the policy that it needs. */
  renderChainSimulatorPage(page: ChainSimulatorPage): RenderedPage;
}

/** Where a tester actions the payer of an invoice, and its chain. `catchUp` has the chain read as far as it goes. */
export function chainSimulatorRoutes(options: {
  context: InvoicesContext;
  pages: ChainSimulatorPages;
  catchUp: (chain: ChainName) => Promise<void>;
}): Hono<HttpEnv> {
  const { context, pages, catchUp } = options;

  const open = async (http: HttpContext): Promise<{ reading: PageReading; game: SimulatedPayment }> => {
    const reading = await readPage(context.database, http.req.param('publicId') ?? '', null);
    const chain = reading && context.simulatedChains[reading.transaction.chain];
    if (!reading || !chain) throw new Problem('not_found', 'The simulator knows nothing of this payment.');
    return { reading, game: { ...reading, chain } };
  };

  return new Hono<HttpEnv>()
    .get('/sandbox/chain/:publicId', async (http) => {
      const { reading, game } = await open(http);
      const { html, contentSecurityPolicy } = pages.renderChainSimulatorPage(await describe(context, reading, game));
      http.header('Content-Security-Policy', contentSecurityPolicy);
      return http.html(html);
    })

    .post('/sandbox/chain/:publicId', async (http) => {
      const { game } = await open(http);
      await runAction(game, await readForm(http));
      await catchUp(game.transaction.chain);
      return http.redirect(simulatorPath(http.req.param('publicId')), 303);
    });
}

async function describe(
  { chains }: Pick<InvoicesContext, 'chains'>,
  { transaction, wallet, payments, tipHeight, merchant }: PageReading,
  { chain }: SimulatedPayment,
): Promise<ChainSimulatorPage> {
  const { code, amountRequired, publicId, paysFor } = transaction;
  // A payment link asks for an amount; the `user` wallet behind it takes any.
  const asked = paysFor === null ? evaluatedOf(transaction).amountRequired : amountRequired;
  const words = (each: { code: typeof code; amount: bigint }) =>
    `${inCoins(each.amount, each.code)} ${each.code.toUpperCase()}`;
  const waiting = await chain.waitingFor(wallet.address);
  return {
    merchantName: merchant.name,
    reference: paysFor ?? transaction.txId,
    network: chains.ofCurrency(code)?.network ?? transaction.chain,
    address: wallet.address,
    asked: asked === null ? null : words({ code, amount: asked }),
    coins: amountRequired === null ? '' : inCoins(amountRequired, code),
    status: transaction.status,
    labels: transaction.labels,
    height: (await chain.tip()).height,
    payments: payments.map((payment) => ({
      txHash: payment.txHash,
      amount: words(payment),
      confirmations: confirmationsOf(payment, tipHeight),
      decision: payment.decision,
    })),
    waiting: waiting.map((each) => ({ txHash: each.txHash, amount: words(each) })),
    currencies: [code, ...chain.currencies.filter((each) => each !== code)].map((each) => each.toUpperCase()),
    otherCurrency: otherCurrency(chain, code)?.toUpperCase() ?? null,
    actionUrl: simulatorPath(publicId),
    returnUrl: invoicePath(publicId),
  };
}
