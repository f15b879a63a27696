import type { SimulatedChain } from '../../chains/simulated/chain.ts';
import { fromCoins } from '../../api/crypto-amount.ts';
import { cryptoCurrencies, type CryptoCurrencyCode, isFeeCoin } from '../../shared/crypto-currency.ts';
import { type Problem, validationProblem } from '../../api/problem-error.ts';
import type { PageReading } from '../page-reading.ts';

/** What a tester actions with: an invoice and the chain that it is on. */
export interface SimulatedPayment extends Pick<PageReading, 'transaction' | 'wallet' | 'payments'> {
  chain: SimulatedChain;
}

type Action = (game: SimulatedPayment, words: readonly string[], form: URLSearchParams) => Promise<void>;

/** By the first word of the field `do`; the other words say what of it. */
const actions: Readonly<Record<string, Action>> = {
  async pay(game, [how = ''], form) {
    for (const { code, amount } of paymentsOf(game, how, form))
      await game.chain.pay({ address: game.wallet.address, code, amount });
  },

  async mine({ chain }, [blocks]) {
    await chain.mine(wholeNumber(blocks));
  },

  async reorganise({ chain, payments }, [words, what]) {
    const depth = wholeNumber(words);
    const { height } = await chain.tip();
    const replaced = payments.filter((payment) => payment.state === 'mined' && (payment.height ?? 0) > height - depth);
    await chain.reorganise(depth, { drop: what === 'drop' ? replaced.map(({ txHash }) => txHash) : [] });
  },

  /** The same once more, with a higher fee. */
  async replace(game, [txHash]) {
    const outputs = await waitingOf(game, txHash);
    await game.chain.replace(txHash ?? '', outputs);
  },

  /** Whoever has sent it pays themselves in its place. */
  async withdraw(game, [txHash]) {
    await waitingOf(game, txHash);
    await game.chain.replace(txHash ?? '');
  },

  async evict(game, [txHash]) {
    await waitingOf(game, txHash);
    await game.chain.evict(txHash ?? '');
  },
};

/** Has happen what a tester has pressed. */
export async function runAction(game: SimulatedPayment, form: URLSearchParams): Promise<void> {
  const [name = '', ...words] = (form.get('do') ?? '').split(' ');
  const act = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!act) throw invalidAction(`must begin with one of ${Object.keys(actions).join(', ')}`);
  try {
    await act(game, words, form);
  } catch (error) {
    // The chain says in words what cannot happen on it, such as a payment that was mined meanwhile.
    if (error instanceof RangeError) throw invalidAction(`cannot happen: ${error.message}`);
    throw error;
  }
}

/** What the words of a payment mean: a tenth less, a tenth more, another currency of the chain. */
function paymentsOf(
  { transaction: { code, amountRequired }, chain }: SimulatedPayment,
  how: string,
  form: URLSearchParams,
): { code: CryptoCurrencyCode; amount: bigint }[] {
  if (how === 'amount') return [givenAmount(form, chain.currencies, code)];
  if (how === 'other') {
    const other = otherCurrency(chain, code);
    if (other === null) throw invalidAction('names a currency that this chain has not');
    return [{ code: other, amount: 10n ** BigInt(cryptoCurrencies[other].decimals) }];
  }
  if (amountRequired === null) throw invalidAction('asks for the amount of what has none');
  const tenth = amountRequired / 10n || 1n;
  const amounts: Readonly<Record<string, readonly bigint[]>> = {
    exact: [amountRequired],
    less: [amountRequired - tenth],
    more: [amountRequired + tenth],
    twice: [amountRequired, amountRequired],
  };
  if (!Object.hasOwn(amounts, how)) throw invalidAction('must say how much is paid');
  return (amounts[how] ?? []).map((amount) => ({ code, amount }));
}

/** The first token that is not the invoice's own; null where the chain has none. */
export function otherCurrency(chain: SimulatedChain, code: CryptoCurrencyCode): CryptoCurrencyCode | null {
  return chain.currencies.find((each) => each !== code && !isFeeCoin(each)) ?? null;
}

function givenAmount(form: URLSearchParams, currencies: readonly CryptoCurrencyCode[], own: CryptoCurrencyCode) {
  const asked = form.get('code');
  const code = asked === null ? own : currencies.find((each) => each === asked);
  const amount = code && fromCoins(form.get('amount')?.trim() ?? '', code);
  if (code && amount) return { code, amount };
  const detail = 'must be whole coins, more than none, with no more decimals than the currency has, such as 0.0015';
  throw validationProblem([{ pointer: '/amount', code: 'invalid_value', detail }]);
}

/** What a transaction that waits pays the invoice's address. */
async function waitingOf({ chain, wallet }: SimulatedPayment, txHash = '') {
  const outputs = (await chain.waitingFor(wallet.address)).filter((waiting) => waiting.txHash === txHash);
  if (outputs.length === 0) throw invalidAction('names a transaction that does not wait here any more');
  return outputs.map(({ address, code, amount }) => ({ address, code, amount }));
}

function wholeNumber(text = ''): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw invalidAction('must say how many blocks, up to 999');
  return Number(text);
}

function invalidAction(detail: string): Problem {
  return validationProblem([{ pointer: '/do', code: 'invalid_value', detail }]);
}
