import type { NextAction } from '../../../src/api/method-catalogue.ts';

/** Wallets with a mark in `public/methods/`. */
const drawnWallets: readonly string[] = [
  'bkash_ewallet',
  'gcash_ewallet',
  'grabpay_ewallet',
  'maya_ewallet',
  'momo_ewallet',
  'nagad_ewallet',
  'truemoney_ewallet',
];

/** A method's file in `public/methods/`: its own mark, or the sign of its next action. */
export function markOf({ code, action }: { code: string; action: NextAction }, hasChoice: boolean): string {
  if (drawnWallets.includes(code)) return code;
  if (action === 'app_intent') return code.endsWith('_ewallet') ? 'wallet' : 'app';
  if (action === 'redirect') return hasChoice ? 'bank' : 'exchange';
  return action === 'bank_details' ? 'bank' : action;
}
