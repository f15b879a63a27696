import type { FiatTransaction } from './transaction.ts';

/** Whether money has come that the merchant may take as it is: less or more than asked for. */
export function isAcceptable({ status, receivedMinor, chargedMinor }: FiatTransaction): boolean {
  return (status === 'waiting' || status === 'failed') && receivedMinor > 0n && receivedMinor !== chargedMinor;
}
