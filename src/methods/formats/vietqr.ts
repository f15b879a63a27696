import { QRPay, VietQRService } from 'vietnam-qr-pay';

/** A transfer to an account at a bank of NAPAS, Vietnam's interbank network. */
export interface VietQrTransfer {
  /** The bank's NAPAS ID, 6 digits. */
  bankBin: string;
  accountNumber: string;
  /** Shown in the payer's app: at most 25 characters, the city 15. */
  merchantName: string;
  merchantCity: string;
  /** Đồng, which has no minor units. */
  amountMinor: bigint;
  /** The payee's payment reference: at most 25 letters and digits. */
  reference: string;
}

/**
 * Formats the payload of a VietQR code: a transfer to an account, for one payment (EMVCo Merchant-Presented Mode 1.1
 * with NAPAS's template 38, service QRIBFTTA).
 */
export function formatVietQrPayload(transfer: VietQrTransfer): string {
  const code = QRPay.initVietQR({
    bankBin: transfer.bankBin,
    bankNumber: transfer.accountNumber,
    amount: transfer.amountMinor.toString(),
    purpose: transfer.reference,
    service: VietQRService.BY_ACCOUNT_NUMBER,
  });
  // Mandatory in EMVCo; NAPAS apps read the account instead.
  code.category = '0000';
  code.merchant.name = transfer.merchantName;
  code.city = transfer.merchantCity;
  return code.build();
}
