import type { SimulatedChain } from '../../chains/simulated/chain.ts';
import { fromCoins } from '../../api/crypto-amount.ts';
import { cryptoCurrencies, type CryptoCurrencyCode, isFeeCoin } from '../../shared/crypto-currency.ts';
import { type Problem, validationProblem } from '../../api/problem-error.ts';
import type { InvoicePageRecords } from '../page-records.ts';

/** The invoice that a tester controls, and its simulated chain. */
export interface SimulatedPayment extends Pick<InvoicePageRecords, 'transaction' | 'wallet' | 'deposits'> {
  chain: SimulatedChain;
}

type Action = (payment: SimulatedPayment, args: readonly string[], form: URLSearchParams) => Promise<void>;

/** Actions by the first word of the form field `do`; its other words are arguments. */
const actions: Readonly<Record<string, Action>> = {
  async pay(payment, [variant = ''], form) {
    for (const { code, amount } of paymentsFor(payment, variant, form))
      await payment.chain.pay({ address: payment.wallet.address, code, amount });
  },

  async mine({ chain }, [blocks]) {
    await chain.mine(parseBlockCount(blocks));
  },

  async reorg({ chain, deposits }, [blocks, dropMode]) {
    const depth = parseBlockCount(blocks);
    const { height } = await chain.tip();
    const orphaned = deposits.filter((deposit) => deposit.state === 'mined' && (deposit.height ?? 0) > height - depth);
    await chain.reorg(depth, { drop: dropMode === 'drop' ? orphaned.map(({ txHash }) => txHash) : [] });
  },

  /** Fee bump: the same outputs with a higher fee. */
  async replace(payment, [txHash]) {
    const outputs = await findMempoolOutputs(payment, txHash);
    await payment.chain.replace(txHash ?? '', outputs);
  },

  /** Double spend: the payer replaces the transaction with one to themselves. */
  async double_spend(payment, [txHash]) {
    await findMempoolOutputs(payment, txHash);
    await payment.chain.replace(txHash ?? '');
  },

  async evict(payment, [txHash]) {
    await findMempoolOutputs(payment, txHash);
    await payment.chain.evict(txHash ?? '');
  },
};

/** Runs the action that a tester submitted. */
export async function runAction(payment: SimulatedPayment, form: URLSearchParams): Promise<void> {
  const [name = '', ...args] = (form.get('do') ?? '').split(' ');
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw invalidAction(`must begin with one of ${Object.keys(actions).join(', ')}`);
  try {
    await action(payment, args, form);
  } catch (error) {
    // The chain rejects impossible actions, such as replacing a transaction that was mined in the meantime.
    if (error instanceof RangeError) throw invalidAction(`is not possible: ${error.message}`);
    throw error;
  }
}

/** Payments for a variant: exact, 10% less or more, a duplicate, a given amount, or another currency of the chain. */
function paymentsFor(
  { transaction: { code, amountRequired }, chain }: SimulatedPayment,
  variant: string,
  form: URLSearchParams,
): { code: CryptoCurrencyCode; amount: bigint }[] {
  if (variant === 'amount') return [parseAmount(form, chain.currencies, code)];
  if (variant === 'other') {
    const other = otherCurrency(chain, code);
    if (other === null) throw invalidAction('needs another currency, which this chain does not have');
    return [{ code: other, amount: 10n ** BigInt(cryptoCurrencies[other].decimals) }];
  }
  if (amountRequired === null) throw invalidAction('needs a requested amount, which this invoice does not have');
  const tenth = amountRequired / 10n || 1n;
  const amounts: Readonly<Record<string, readonly bigint[]>> = {
    exact: [amountRequired],
    underpay: [amountRequired - tenth],
    overpay: [amountRequired + tenth],
    duplicate: [amountRequired, amountRequired],
  };
  if (!Object.hasOwn(amounts, variant))
    throw invalidAction('must name an amount: exact, underpay, overpay or duplicate');
  return (amounts[variant] ?? []).map((amount) => ({ code, amount }));
}

/** First token of the chain other than the invoice's currency; null if there is none. */
export function otherCurrency(chain: SimulatedChain, code: CryptoCurrencyCode): CryptoCurrencyCode | null {
  return chain.currencies.find((each) => each !== code && !isFeeCoin(each)) ?? null;
}

function parseAmount(form: URLSearchParams, currencies: readonly CryptoCurrencyCode[], fallback: CryptoCurrencyCode) {
  const requested = form.get('code');
  const code = requested === null ? fallback : currencies.find((each) => each === requested);
  const amount = code && fromCoins(form.get('amount')?.trim() ?? '', code);
  if (code && amount) return { code, amount };
  const detail = 'must be an amount in whole coins greater than 0, with the decimals of the currency, such as 0.0015';
  throw validationProblem([{ pointer: '/amount', code: 'invalid_value', detail }]);
}

/** Outputs of a mempool transaction to the invoice's address. */
async function findMempoolOutputs({ chain, wallet }: SimulatedPayment, txHash = '') {
  const outputs = (await chain.unconfirmedTo(wallet.address)).filter((waiting) => waiting.txHash === txHash);
  if (outputs.length === 0) throw invalidAction('names a transaction that is no longer in the mempool');
  return outputs.map(({ address, code, amount }) => ({ address, code, amount }));
}

function parseBlockCount(text = ''): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw invalidAction('must name a number of blocks from 1 to 999');
  return Number(text);
}

function invalidAction(detail: string): Problem {
  return validationProblem([{ pointer: '/do', code: 'invalid_value', detail }]);
}
