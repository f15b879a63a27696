import { minorUnitsOf } from '../../api/currency.ts';
import type { BankDetailName, Instructions, MethodChoice } from '../../api/instructions.ts';
import type { PaymentMethod } from '../../api/method-catalog.ts';
import { formatMinor } from '../../shared/money.ts';
import { DAY, type Instant, MINUTE } from '../../shared/time.ts';
import type { Random } from '../../system/random.ts';
import { formatClabe, formatCnpj, formatNuban } from '../../methods/formats/accounts.ts';
import { formatPromptPayPayload } from '../../methods/formats/promptpay.ts';
import { formatUpiIntent } from '../../methods/formats/upi.ts';
import { formatVietQrPayload } from '../../methods/formats/vietqr.ts';
import type { PushPaymentRequest } from '../push-port.ts';
import { listBankChoices } from './banks.ts';

/** Lifetime of instructions, unless the transaction expires first. */
const lifetimes: Record<PaymentMethod['action'], Instant> = {
  card: 0,
  qr: 15 * MINUTE,
  app_intent: 15 * MINUTE,
  redirect: 30 * MINUTE,
  crypto: 0,
  bank_details: DAY,
};

export function listMethodChoices(method: PaymentMethod, country: string): MethodChoice[] {
  return method.choice === 'bank' ? listBankChoices(country) : [];
}

interface InstructionsContext {
  random: Random;
  now: Instant;
  simulatorUrl: string;
}

/** Creates simulated payment instructions, as a bank or wallet would. */
export function createInstructions(
  payment: PushPaymentRequest,
  options: InstructionsContext,
): { instructions: Instructions; reference: string; acquirerReference: null; expiresAt: Instant } {
  const { random, now } = options;
  const reference = randomReference(random);
  const lifetime = lifetimes[payment.method.action];
  const expiresAt = Math.min(payment.expiresAt, now + lifetime);
  return {
    instructions: buildInstructions(payment, reference, options),
    reference,
    acquirerReference: null,
    expiresAt,
  };
}

function buildInstructions(payment: PushPaymentRequest, reference: string, options: InstructionsContext): Instructions {
  const { random, simulatorUrl } = options;
  switch (payment.method.action) {
    case 'qr':
      return buildQrCode(payment, reference, simulatorUrl);
    case 'bank_details':
      return { action: 'bank_details', details: buildBankDetails(payment, reference, random) };
    case 'app_intent':
      return buildAppIntent(payment, reference, simulatorUrl);
    case 'redirect':
      return { action: 'redirect', url: simulatorUrl };
    case 'card':
    case 'crypto':
      throw new Error(`The sandbox issues no instructions for ${payment.method.action}`);
  }
}

function buildQrCode(
  { country, amountMinor, merchantName }: PushPaymentRequest,
  reference: string,
  simulatorUrl: string,
): Instructions {
  if (country === 'VNM') {
    const payload = formatVietQrPayload({
      bankBin: VIETCOMBANK,
      accountNumber: SANDBOX_ACCOUNT,
      merchantName: toAscii(merchantName).slice(0, 25),
      merchantCity: 'HANOI',
      amountMinor,
      reference,
    });
    return { action: 'qr', scheme: 'vietqr', payload };
  }
  if (country === 'THA') {
    const payload = formatPromptPayPayload({
      billerId: SANDBOX_BILLER,
      billerName: toAscii(merchantName).slice(0, 25),
      billerCity: 'BANGKOK',
      amountMinor,
      reference,
    });
    return { action: 'qr', scheme: 'promptpay', payload };
  }
  return { action: 'qr', scheme: 'sandbox', payload: simulatorUrl };
}

/** Fictitious accounts of the sandbox. */
const VIETCOMBANK = '970436';
const SANDBOX_ACCOUNT = '0000000000';
const SANDBOX_BILLER = '000000000000000';

/** Bank details in the order in which banks of the country ask for them. */
function buildBankDetails(
  { country, amountMinor, currency, merchantName }: PushPaymentRequest,
  reference: string,
  random: Random,
): { name: BankDetailName; value: string }[] {
  const amount = formatMinor(amountMinor, minorUnitsOf(currency));
  const defaultLayout = () => ({
    bank_name: 'Sandbox Bank',
    account_number: randomDigits(random, 10),
    account_name: merchantName,
    reference,
    amount,
  });
  const layouts: Record<string, () => Partial<Record<BankDetailName, string>>> = {
    BRA: () => ({
      bank_name: 'Banco Sandbox',
      bank_code: '999',
      branch: '0001',
      account_number: randomDigits(random, 8),
      account_name: merchantName,
      tax_id: formatCnpj('000000000000').replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'),
      reference,
      amount,
    }),
    IDN: () => ({
      bank_name: 'Bank Sandbox',
      bank_code: '999',
      virtual_account_number: `8${randomDigits(random, 15)}`,
      account_name: merchantName,
      reference,
      amount,
    }),
    MEX: () => ({
      bank_name: 'STP',
      clabe: formatClabe('646', '180', randomDigits(random, 11)),
      account_name: merchantName,
      // SPEI's numeric reference has seven digits.
      reference: randomDigits(random, 7),
      transfer_content: reference,
      amount,
    }),
    NGA: () => ({
      bank_name: 'Wema Bank',
      account_number: formatNuban('035', randomDigits(random, 9)),
      account_name: merchantName,
      reference,
      amount,
    }),
    VNM: () => ({
      bank_name: 'Vietcombank',
      account_number: randomDigits(random, 13),
      account_name: toAscii(merchantName),
      transfer_content: reference,
      amount,
    }),
  };
  const layout = layouts[country] ?? defaultLayout;
  return Object.entries(layout()).map(([name, value]) => ({ name: name as BankDetailName, value }));
}

function buildAppIntent(payment: PushPaymentRequest, reference: string, simulatorUrl: string): Instructions {
  if (payment.method.code !== 'upi') {
    // A wallet's link is a web page that phones open in the app.
    return { action: 'app_intent', deepLink: simulatorUrl, qrPayload: simulatorUrl, webUrl: simulatorUrl };
  }
  const intent = formatUpiIntent({
    payeeAddress: 'paylatch.sandbox@upi',
    payeeName: payment.merchantName,
    merchantCategory: '5399',
    reference,
    transactionId: reference,
    note: [...payment.description].slice(0, 50).join(''),
    amountMinor: payment.amountMinor,
    url: payment.returnUrl,
  });
  return { action: 'app_intent', deepLink: intent, qrPayload: intent, webUrl: null };
}

/** Returns ten characters without easily confused ones (0, 1, I, L, O). */
function randomReference(random: Random): string {
  return [...random.bytes(10)].map((byte) => 'ABCDEFGHJKMNPQRSTVWXYZ23456789'[byte % 30]).join('');
}

function randomDigits(random: Random, length: number): string {
  return [...random.bytes(length)].map((byte) => byte % 10).join('');
}

/** Transliterates a name for banks that accept ASCII only. */
function toAscii(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll('đ', 'd')
    .replaceAll('Đ', 'D')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .toUpperCase();
  return ascii || 'MERCHANT';
}
