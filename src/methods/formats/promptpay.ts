import { decode, encode, tag, withCrcTag } from 'promptparse';
import { billPayment } from 'promptparse/generate';
import { formatMinor } from '../../shared/money.ts';

/** A bill payment over Thailand's PromptPay. */
export interface PromptPayPayment {
  /** Tax number and suffix of the biller, 15 digits. */
  billerId: string;
  /** Shown in the payer's banking app: at most 25 characters, the city 15. */
  billerName: string;
  billerCity: string;
  amountMinor: bigint;
  /** The biller's payment reference: at most 20 digits and capital letters. */
  reference: string;
}

/**
 * Formats the payload of a merchant-presented PromptPay QR code for one payment (EMVCo QR Code Specification for
 * Payment Systems, Merchant-Presented Mode 1.1; bill payment in template 30, Thai QR Payment Standard).
 */
export function formatPromptPayPayload(payment: PromptPayPayment): string {
  const payload = billPayment({
    billerId: payment.billerId,
    amount: Number(formatMinor(payment.amountMinor, 2)),
    ref1: payment.reference,
  });
  const tags = decode(payload)
    .filter(({ id }) => id !== CRC && id !== AMOUNT)
    // The library drops trailing zeros; the amount needs two decimals.
    .concat(tag(AMOUNT, formatMinor(payment.amountMinor, 2)))
    // Mandatory in EMVCo; Thai banks read their own template instead.
    .concat(tag('52', '0000'), tag('59', payment.billerName), tag('60', payment.billerCity))
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  return withCrcTag(encode(tags), CRC);
}

const AMOUNT = '54';
const CRC = '63';
