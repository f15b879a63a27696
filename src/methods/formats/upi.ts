import { formatMinor } from '../../shared/money.ts';

/** A payment over India's Unified Payments Interface. */
export interface UpiPayment {
  /** Virtual payment address, `shop@bank`. */
  payeeAddress: string;
  payeeName: string;
  /** ISO 18245, 4 digits. */
  merchantCategory: string;
  /** The payee's own, shown as it is: at most 35 letters, digits and `-`. */
  reference: string;
  /** The payee's provider's, at most 35 letters and digits. */
  transactionId: string;
  /** Shown to the payer: at most 50 characters. */
  note: string;
  amountMinor: bigint;
  /** Where the payer can read what is being paid for. */
  url: string;
}

/**
 * The address that opens a payer's UPI app, and that a QR code for it holds (NPCI, UPI Linking
 * Specifications 1.6). Spaces are `%20`: apps do not read `+`.
 */
export function upiIntent(payment: UpiPayment): string {
  const parameters = {
    pa: payment.payeeAddress,
    pn: payment.payeeName,
    mc: payment.merchantCategory,
    tid: payment.transactionId,
    tr: payment.reference,
    tn: payment.note,
    am: formatMinor(payment.amountMinor, 2),
    // What is less than the amount is not taken.
    mam: formatMinor(payment.amountMinor, 2),
    cu: 'INR',
    url: payment.url,
    // Dynamic, of a merchant.
    mode: '05',
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // The sign of an address is written as it is.
  return `upi://pay?${query.join('&').replace('%40', '@')}`;
}
