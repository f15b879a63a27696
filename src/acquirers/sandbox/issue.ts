import { minorUnitsOf } from '../../api/currency.ts';
import type { BankDetailName, Instructions, MethodChoice } from '../../api/instructions.ts';
import type { PaymentMethod } from '../../api/method-catalogue.ts';
import { formatMinor } from '../../shared/money.ts';
import { DAY, type Instant, MINUTE } from '../../shared/time.ts';
import type { Random } from '../../system/random.ts';
import { clabeOf, cnpjOf, nubanOf } from '../../methods/formats/accounts.ts';
import { promptPayBill } from '../../methods/formats/promptpay.ts';
import { upiIntent } from '../../methods/formats/upi.ts';
import { vietQr } from '../../methods/formats/vietqr.ts';
import type { ExpectedPayment } from '../push-port.ts';
import { bankChoices } from './banks.ts';

/** How long what is issued can be used, if the payment itself does not end before. */
const lifetimes: Record<PaymentMethod['action'], Instant> = {
  card: 0,
  qr: 15 * MINUTE,
  app_intent: 15 * MINUTE,
  redirect: 30 * MINUTE,
  crypto: 0,
  bank_details: DAY,
};

export function choicesOf(method: PaymentMethod, country: string): MethodChoice[] {
  return method.choice === 'bank' ? bankChoices(country) : [];
}

interface Making {
  random: Random;
  now: Instant;
  simulatorUrl: string;
}

/** Makes up what a bank, a wallet or a chain would give out for a payment. */
export function makeInstructions(
  payment: ExpectedPayment,
  options: Making,
): { instructions: Instructions; reference: string; expiresAt: Instant } {
  const { random, now } = options;
  const reference = referenceFrom(random);
  const lifetime = lifetimes[payment.method.action];
  const expiresAt = Math.min(payment.expiresAt, now + lifetime);
  return { instructions: instructionsOf(payment, reference, options), reference, expiresAt };
}

function instructionsOf(payment: ExpectedPayment, reference: string, options: Making): Instructions {
  const { random, simulatorUrl } = options;
  switch (payment.method.action) {
    case 'qr':
      return qrOf(payment, reference, simulatorUrl);
    case 'bank_details':
      return { action: 'bank_details', details: accountOf(payment, reference, random) };
    case 'app_intent':
      return appIntentOf(payment, reference, simulatorUrl);
    case 'redirect':
      return { action: 'redirect', url: simulatorUrl };
    case 'card':
    case 'crypto':
      throw new Error('The sandbox has neither cards nor coins that are waited for');
  }
}

function qrOf(
  { country, amountMinor, merchantName }: ExpectedPayment,
  reference: string,
  simulatorUrl: string,
): Instructions {
  if (country === 'VNM') {
    const payload = vietQr({
      bankBin: VIETCOMBANK,
      accountNumber: SANDBOX_ACCOUNT,
      merchantName: inAscii(merchantName).slice(0, 25),
      merchantCity: 'HANOI',
      amountMinor,
      reference,
    });
    return { action: 'qr', scheme: 'vietqr', payload };
  }
  if (country === 'THA') {
    const payload = promptPayBill({
      billerId: SANDBOX_BILLER,
      billerName: inAscii(merchantName).slice(0, 25),
      billerCity: 'BANGKOK',
      amountMinor,
      reference,
    });
    return { action: 'qr', scheme: 'promptpay', payload };
  }
  return { action: 'qr', scheme: 'sandbox', payload: simulatorUrl };
}

/** The sandbox's own accounts: nobody's. */
const VIETCOMBANK = '970436';
const SANDBOX_ACCOUNT = '0000000000';
const SANDBOX_BILLER = '000000000000000';

/** In the order in which banks of the country ask for them. */
function accountOf(
  { country, amountMinor, currency, merchantName }: ExpectedPayment,
  reference: string,
  random: Random,
): { name: BankDetailName; value: string }[] {
  const amount = formatMinor(amountMinor, minorUnitsOf(currency));
  const usual = () => ({
    bank_name: 'Sandbox Bank',
    account_number: digitsFrom(random, 10),
    account_name: merchantName,
    reference,
    amount,
  });
  const layouts: Record<string, () => Partial<Record<BankDetailName, string>>> = {
    BRA: () => ({
      bank_name: 'Banco Sandbox',
      bank_code: '999',
      branch: '0001',
      account_number: digitsFrom(random, 8),
      account_name: merchantName,
      tax_id: cnpjOf('000000000000').replace(/^(..)(...)(...)(....)(..)$/, '$1.$2.$3/$4-$5'),
      reference,
      amount,
    }),
    IDN: () => ({
      bank_name: 'Bank Sandbox',
      bank_code: '999',
      virtual_account_number: `8${digitsFrom(random, 15)}`,
      account_name: merchantName,
      reference,
      amount,
    }),
    MEX: () => ({
      bank_name: 'STP',
      clabe: clabeOf('646', '180', digitsFrom(random, 11)),
      account_name: merchantName,
      // The numeric reference of SPEI has seven digits.
      reference: digitsFrom(random, 7),
      transfer_content: reference,
      amount,
    }),
    NGA: () => ({
      bank_name: 'Wema Bank',
      account_number: nubanOf('035', digitsFrom(random, 9)),
      account_name: merchantName,
      reference,
      amount,
    }),
    VNM: () => ({
      bank_name: 'Vietcombank',
      account_number: digitsFrom(random, 13),
      account_name: inAscii(merchantName),
      transfer_content: reference,
      amount,
    }),
  };
  const layout = layouts[country] ?? usual;
  return Object.entries(layout()).map(([name, value]) => ({ name: name as BankDetailName, value }));
}

function appIntentOf(payment: ExpectedPayment, reference: string, simulatorUrl: string): Instructions {
  if (payment.method.code !== 'upi') {
    // A wallet's link is a page of the web that phones open in the app.
    return { action: 'app_intent', deepLink: simulatorUrl, qrPayload: simulatorUrl, webUrl: simulatorUrl };
  }
  const intent = upiIntent({
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

/** Ten letters and digits that nobody takes for one another. */
function referenceFrom(random: Random): string {
  return [...random.bytes(10)].map((byte) => 'ABCDEFGHJKMNPQRSTVWXYZ23456789'[byte % 30]).join('');
}

function digitsFrom(random: Random, length: number): string {
  return [...random.bytes(length)].map((byte) => byte % 10).join('');
}

/** As banks that know no other letters write a name. */
function inAscii(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll('đ', 'd')
    .replaceAll('Đ', 'D')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .toUpperCase();
  return ascii || 'MERCHANT';
}
