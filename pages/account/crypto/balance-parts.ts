import { html, type TemplateResult } from 'lit';
import type { Wallet } from '../../../client/api.ts';
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

export function amountOf({ parts, incoming }: Wallet, name: BalancePart): string {
  return name === 'incoming' ? incoming : parts[name];
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
