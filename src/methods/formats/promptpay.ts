import { decode, encode, tag, withCrcTag } from 'promptparse';
import { billPayment } from 'promptparse/generate';
import { formatMinor } from '../../shared/money.ts';

/** A payment to a biller of Thailand's PromptPay. */
export interface PromptPayBill {
  /** Tax number and suffix of the biller, 15 digits. */
  billerId: string;
  /** Shown by the payer's bank: at most 25 and 15 characters. */
  billerName: string;
  billerCity: string;
  amountMinor: bigint;
  /** What the biller knows the payment by: at most 20 letters and digits, in capitals. */
  reference: string;
}

/**
 * What a PromptPay QR code holds: merchant-presented, for one payment (EMVCo QR Code Specification for
 * Payment Systems, Merchant-Presented Mode 1.1; bill payment in template 30, Thai QR Payment Standard).
 */
export function promptPayBill(bill: PromptPayBill): string {
  const payload = billPayment({
    billerId: bill.billerId,
    amount: Number(formatMinor(bill.amountMinor, 2)),
    ref1: bill.reference,
  });
  const tags = decode(payload)
    .filter(({ id }) => id !== CRC && id !== AMOUNT)
    // Written as the currency has it: two decimals, always.
    .concat(tag(AMOUNT, formatMinor(bill.amountMinor, 2)))
    // Mandatory to EMVCo, though Thai banks read their own template.
    .concat(tag('52', '0000'), tag('59', bill.billerName), tag('60', bill.billerCity))
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  return withCrcTag(encode(tags), CRC);
}

const AMOUNT = '54';
const CRC = '63';
