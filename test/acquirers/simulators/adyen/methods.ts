import type { Plan } from '../faults.ts';
import { accountTypes, bankTypes } from './contract.ts';

/** Refusal reasons by code, as in Adyen's list of refusal reasons. */
export const refusalReasons: Readonly<Record<string, string>> = {
  2: 'Refused',
  4: 'Acquirer Error',
  5: 'Blocked Card',
  6: 'Expired Card',
  8: 'Invalid Card Number',
  9: 'Issuer Unavailable',
  11: '3D Not Authenticated',
  12: 'Not enough balance',
  15: 'Cancelled',
  16: 'Shopper Cancelled',
  20: 'FRAUD',
  23: 'Transaction Not Permitted',
  24: 'CVC Declined',
  26: 'Revocation Of Auth',
  27: 'Declined Non Generic',
  31: 'Issuer Suspected Fraud',
};

/** Holder names that Adyen's test platform refuses, with the refusal code. */
const refusedNames: Readonly<Record<string, string>> = {
  DECLINED: '2',
  BLOCK_CARD: '5',
  CARD_EXPIRED: '6',
  INVALID_CARD_NUMBER: '8',
  NOT_ENOUGH_BALANCE: '12',
  FRAUD: '20',
  CVC_DECLINED: '24',
};

/** Test cards with a 3-D Secure challenge by redirect. */
const challengeCards = new Set(['4212345678901237', '4917610000000000', '5454545454545454']);

/** Outcome of a card on the test platform, unless the test has planned one. */
export function magicOutcome({
  number,
  holderName = '',
}: {
  number: string;
  holderName?: string | undefined;
}): Plan<'approved' | 'challenge' | 'declined'> {
  const code = refusedNames[holderName];
  if (code) return { outcome: 'declined', code };
  return { outcome: challengeCards.has(number) ? 'challenge' : 'approved' };
}

/** Next action of the buyer, by method. */
export function actionOf(type: string): 'redirect' | 'qrCode' | 'await' | 'voucher' {
  if (type === 'promptpay' || type === 'upi_qr') return 'qrCode';
  if (type === 'upi_collect' || type === 'payto') return 'await';
  return accountTypes.some((account) => account === type) ? 'voucher' : 'redirect';
}

/** Methods by country, as `/paymentMethods` lists them for the test account. */
const methodsByCountry: Readonly<Record<string, readonly (readonly [type: string, name: string])[]>> = {
  AU: [['payto', 'PayTo']],
  ID: accountTypes.map((type) => [type, type.slice('doku_'.length).replaceAll('_', ' ')]),
  IN: [
    ['onlinebanking_IN', 'Online Banking India'],
    ['upi_qr', 'UPI QR'],
    ['upi_intent', 'UPI'],
    ['upi_collect', 'UPI Collect'],
  ],
  MY: [['molpay_ebanking_fpx_MY', 'FPX']],
  NL: [['ideal', 'iDEAL']],
  PH: [
    ['gcash', 'GCash'],
    ['paymaya_wallet', 'Maya'],
    ['grabpay_PH', 'GrabPay'],
    ['dragonpay_ebanking', 'Dragonpay'],
  ],
  TH: [
    ['promptpay', 'PromptPay'],
    ['truemoney', 'TrueMoney'],
    ['molpay_ebanking_TH', 'Online Banking Thailand'],
  ],
  VN: [
    ['momo_wallet', 'MoMo'],
    ['molpay_ebanking_VN', 'Online Banking Vietnam'],
  ],
};

const issuersByType: Readonly<Record<string, readonly (readonly [id: string, name: string])[]>> = {
  molpay_ebanking_fpx_MY: [
    ['fpx_mb2u', 'Maybank2U'],
    ['fpx_cimbclicks', 'CIMB Clicks'],
    ['fpx_pbb', 'Public Bank'],
  ],
  molpay_ebanking_TH: [
    ['molpay_bangkokbank', 'Bangkok Bank'],
    ['molpay_krungthaibank', 'Krungthai Bank'],
    ['molpay_siamcommercialbank', 'The Siam Commercial Bank'],
  ],
  onlinebanking_IN: [
    ['1', 'State Bank of India'],
    ['2', 'HDFC Bank'],
  ],
  billdesk_online: [
    ['SBI', 'State Bank of India'],
    ['HDF', 'HDFC Bank'],
  ],
  dragonpay_ebanking: [
    ['BDO', 'BDO'],
    ['BPI', 'BPI'],
  ],
};

/** Methods for a country with their issuers, cards first. */
export function methodsFor(country: string | undefined) {
  const local = methodsByCountry[country ?? ''] ?? [];
  return [
    { type: 'scheme', name: 'Cards', brands: ['visa', 'mc', 'amex'] },
    ...local.map(([type, name]) => {
      const issuers = issuersByType[type]?.map(([id, issuer]) => ({ id, name: issuer }));
      return issuers ? { type, name, issuers } : { type, name };
    }),
  ];
}

/** True if an issuer exists for an online banking method. */
export function isIssuer(type: string, issuer: string): boolean {
  if (!bankTypes.some((bank) => bank === type)) return false;
  return (issuersByType[type] ?? []).some(([id]) => id === issuer);
}

/** The brand of a card. */
export function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa';
  return /^3[47]/.test(number) ? 'amex' : 'mc';
}
