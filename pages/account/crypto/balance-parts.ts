import { html, type TemplateResult } from 'lit';
import type { Balance } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';

/** Parts of a wallet's balance, and incoming deposits that are not in a block yet. */
export const balanceParts = [
  'credited',
  'sending',
  'confirming',
  'in_review',
  'unattributed',
  'rejected',
  'incoming',
] as const;
export type BalancePart = (typeof balanceParts)[number];

/** Parts that a manager can withdraw. */
export const withdrawableParts = ['credited', 'unattributed', 'rejected'] as const;

/** The funds of a wallet, or of all wallets of a currency. */
type Funds = Pick<Balance, 'parts' | 'incoming'>;

export function amountOf({ parts, incoming }: Funds, name: BalancePart): string {
  return name === 'incoming' ? incoming : parts[name];
}

export function hasWithdrawableFunds({ parts }: Funds): boolean {
  return withdrawableParts.some((name) => parts[name] !== '0');
}

/** A part of a balance with its amount. */
export function partView(
  name: BalancePart,
  units: string,
  code: string,
  { format, i18n }: AccountContext,
): TemplateResult {
  const text = i18n.text(`account.crypto.${name === 'incoming' ? 'incoming' : `parts.${name}`}`);
  return html`<span class="balance-part" data-part=${name}>
    <span>${text}</span> <span class="balance-units">${format.coinUnits(units, code)}</span>
  </span>`;
}
