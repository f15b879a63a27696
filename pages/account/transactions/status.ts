import { type TemplateResult } from 'lit';
import type { CryptoStatus, TransactionStatus } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { tag } from '../parts.ts';

type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** `authorized`: in progress, with an amount reserved on the card. */
export type ShownStatus = TransactionStatus | CryptoStatus | 'authorized' | 'partially_captured' | 'partially_refunded';

const statusTags: Readonly<Record<ShownStatus, readonly [icon: string, tone: Tone]>> = {
  transaction_status_pending: ['clock', 'plain'],
  transaction_status_waiting: ['hourglass', 'warn'],
  transaction_status_confirmed: ['circle-check', 'good'],
  transaction_status_failed: ['circle-x', 'bad'],
  authorized: ['lock', 'warn'],
  partially_captured: ['circle-check', 'good'],
  partially_refunded: ['undo-2', 'plain'],
  pending: ['clock', 'plain'],
  waiting: ['hourglass', 'warn'],
  confirmed: ['circle-check', 'good'],
  complete: ['circle-check', 'good'],
  approved_required: ['inbox', 'warn'],
  refunding: ['undo-2', 'warn'],
  refunded: ['undo-2', 'plain'],
  failed: ['circle-x', 'bad'],
};

export const fiatStatuses: readonly TransactionStatus[] = [
  'transaction_status_confirmed',
  'transaction_status_pending',
  'transaction_status_waiting',
  'transaction_status_failed',
];
export const cryptoStatuses: readonly CryptoStatus[] = [
  ...(['approved_required', 'pending', 'waiting', 'confirmed', 'complete', 'refunding', 'refunded', 'failed'] as const),
];

/** The translated name of a status. */
export function statusText(status: ShownStatus, i18n: I18n): string {
  if (status === 'authorized') return i18n.text('account.statuses.authorization.authorized');
  if (status.startsWith('partially_')) return i18n.text(`account.statuses.transaction.${status}`);
  return i18n.text(
    status.startsWith('transaction_status_')
      ? `account.statuses.transaction.${status.slice('transaction_status_'.length)}`
      : `account.statuses.crypto.${status}`,
  );
}

/** A status with its name, icon and color. */
export function statusTag(status: ShownStatus, i18n: I18n): TemplateResult {
  const [iconName, tone] = statusTags[status];
  return tag(statusText(status, i18n), tone, iconName);
}
