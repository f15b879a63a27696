import { type CopyableFact, factList } from './fact-list.ts';
import type { Clock } from '../elements/clock.ts';
import type { Wording } from '../elements/text.ts';

/** Payment details for a wallet. */
export interface CoinPayment {
  /** Whole coins as an exact decimal; null for any amount. */
  amount: string | null;
  /** In capitals. */
  code: string;
  address: string;
  network: string;
}

/** Address, network and amount of a coin payment, each with a copy button. */
export function coinFacts({ amount, code, address, network }: CoinPayment, view: { words: Wording; clock: Clock }) {
  const { words } = view;
  const amountFacts: CopyableFact[] =
    amount === null
      ? []
      : [
          {
            label: words.text('details.amount'),
            value: `${amount} ${code}`,
            copied: amount,
            note: words.text('instructions.crypto_exact'),
          },
        ];
  return factList(
    [
      ...amountFacts,
      { label: words.text('details.address'), value: address },
      {
        label: words.text('details.network'),
        value: network,
        copied: null,
        note: words.text('instructions.crypto_network', { network }),
      },
    ],
    view,
  );
}
