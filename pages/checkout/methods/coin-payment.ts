import { codeText } from './code-text.ts';
import { type CopyableFact, factList } from './fact-list.ts';
import type { Clock } from '../elements/clock.ts';
import type { I18n } from '../elements/i18n.ts';

/** Payment details for a wallet. */
export interface CoinPayment {
  /** Whole coins as an exact decimal; null for any amount. */
  amount: string | null;
  /** Uppercase. */
  code: string;
  address: string;
  network: string;
}

/** Address, network and amount of a coin payment, each with a copy button. */
export function coinFacts({ amount, code, address, network }: CoinPayment, view: { i18n: I18n; clock: Clock }) {
  const { i18n } = view;
  const amountFacts: CopyableFact[] =
    amount === null
      ? []
      : [
          {
            label: i18n.text('details.amount'),
            value: `${amount} ${code}`,
            copied: amount,
            note: i18n.text('instructions.crypto_exact'),
          },
        ];
  return factList(
    [
      ...amountFacts,
      { label: i18n.text('details.address'), value: address, display: codeText(address) },
      {
        label: i18n.text('details.network'),
        value: network,
        copied: null,
        note: i18n.text('instructions.crypto_network', { network }),
      },
    ],
    view,
  );
}
