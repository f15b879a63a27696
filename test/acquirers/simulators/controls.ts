import type { SimulatorCharge } from './charges.ts';
import type { Navigation } from './pages.ts';

/** The account of a simulated acquirer. `Payment` is the acquirer's own object. */
interface SimulatedAccount<Payment> {
  webhooks: unknown;
  charges(): SimulatorCharge[];
  /** The latest payment with our reference. */
  find(reference: string): Payment;
  completeVisit(payment: Payment, result: 'authenticated' | 'failed'): Navigation;
  settleRefund(reference: string, outcome: 'succeeded' | 'failed' | 'failed_late'): void;
  openDispute(reference: string): string;
  closeDispute(disputeReference: string, result: 'won' | 'lost'): void;
}

/** Test controls shared by all simulated accounts. */
export function controlsOf<Payment, Account extends SimulatedAccount<Payment>>(
  account: Account & SimulatedAccount<Payment>,
) {
  return {
    webhooks: account.webhooks as Account['webhooks'],
    charges: () => account.charges(),
    /** Completes the buyer's step at the issuer, bank or wallet; returns the browser's next navigation. */
    completeChallenge(reference: string, result: 'authenticated' | 'failed' | 'abandoned'): Navigation | null {
      return result === 'abandoned' ? null : account.completeVisit(account.find(reference), result);
    },
    settleRefund: account.settleRefund.bind(account),
    openDispute: account.openDispute.bind(account) as Account['openDispute'],
    closeDispute: account.closeDispute.bind(account) as Account['closeDispute'],
  };
}
