import { formatMinor } from '../../shared/money.ts';

/** A payment over India's Unified Payments Interface. */
export interface UpiPayment {
  /** Virtual payment address, `shop@bank`. */
  payeeAddress: string;
  payeeName: string;
  /** ISO 18245, 4 digits. */
  merchantCategory: string;
  /** The payee's reference, shown to the payer: at most 35 letters, digits and `-`. */
  reference: string;
  /** The acquirer's ID of the payment: at most 35 letters and digits. */
  transactionId: string;
  /** Shown to the payer: at most 50 characters. */
  note: string;
  amountMinor: bigint;
  /** Page with the details of the order. */
  url: string;
}

/**
 * Formats the deep link that opens the payer's UPI app, from a button or a QR code (NPCI, UPI Linking Specifications
 * 1.6). Spaces are `%20`: apps do not read `+`.
 */
export function formatUpiIntent(payment: UpiPayment): string {
  const parameters = {
    pa: payment.payeeAddress,
    pn: payment.payeeName,
    mc: payment.merchantCategory,
    tid: payment.transactionId,
    tr: payment.reference,
    tn: payment.note,
    am: formatMinor(payment.amountMinor, 2),
    // Minimum amount: rejects underpayments.
    mam: formatMinor(payment.amountMinor, 2),
    cu: 'INR',
    url: payment.url,
    // A merchant's dynamic QR code.
    mode: '05',
  };
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // The `@` of a payment address is not escaped.
  return `upi://pay?${query.join('&').replace('%40', '@')}`;
}
