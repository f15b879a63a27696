import { bech32 } from '@scure/base';
import Big from 'big.js';
import { type CurrencyCode, minorUnitsOf } from '../../contract/currency.ts';
import type { BankDetailName, Instructions, MethodChoice } from '../../contract/instructions.ts';
import type { PaymentMethod } from '../../contract/method-catalogue.ts';
import { formatMinor } from '../../contract/money.ts';
import { DAY, type Instant, MINUTE } from '../../contract/time.ts';
import type { Random } from '../../platform/random.ts';
import { clabeOf, cnpjOf, nubanOf } from '../formats/accounts.ts';
import { promptPayBill } from '../formats/promptpay.ts';
import { upiIntent } from '../formats/upi.ts';
import { vietQr } from '../formats/vietqr.ts';
import type { ExpectedPayment } from '../push-port.ts';
import { bankChoices } from './banks.ts';

/** How long what is issued can be used, if the payment itself does not end before. */
const lifetimes: Record<PaymentMethod['action'], Instant> = {
  card: 0,
  qr: 15 * MINUTE,
  app_intent: 15 * MINUTE,
  redirect: 30 * MINUTE,
  crypto: 30 * MINUTE,
  bank_details: DAY,
};

/** Coins that the simulated chain has, with US dollars for one of each. */
const coins = {
  btc: { name: 'Bitcoin', network: 'Bitcoin (simulated)', decimals: 8, usd: '98000' },
  eth: { name: 'Ether', network: 'Ethereum (simulated)', decimals: 18, usd: '3400' },
  usdt: { name: 'USDT', network: 'Ethereum (simulated)', decimals: 6, usd: '1' },
  usdc: { name: 'USDC', network: 'Ethereum (simulated)', decimals: 6, usd: '1' },
} as const;

export function choicesOf(method: PaymentMethod, country: string): MethodChoice[] {
  if (method.choice === 'bank') return bankChoices(country);
  if (method.choice === undefined) return [];
  return Object.entries(coins).map(([code, { name }]) => ({ code, name, isPopular: true }));
}

interface Making {
  random: Random;
  now: Instant;
  simulatorUrl: string;
  /** US dollars for one unit of a currency, as a decimal. */
  inUsd(currency: CurrencyCode): string;
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
      return qrOf(payment, reference);
    case 'bank_details':
      return { action: 'bank_details', details: accountOf(payment, reference, random) };
    case 'app_intent':
      return appIntentOf(payment, reference, simulatorUrl);
    case 'crypto':
      return cryptoOf(payment, options);
    case 'redirect':
      return { action: 'redirect', url: simulatorUrl };
    case 'card':
      throw new Error('A card is charged, not waited for');
  }
}

function qrOf({ country, amountMinor, merchantName }: ExpectedPayment, reference: string): Instructions {
  if (country === 'VNM') {
    const payload = vietQr({ bankBin: VIETCOMBANK, accountNumber: SANDBOX_ACCOUNT, amountMinor, reference });
    return { action: 'qr', scheme: 'vietqr', payload };
  }
  const payload = promptPayBill({
    billerId: SANDBOX_BILLER,
    billerName: inAscii(merchantName).slice(0, 25),
    billerCity: 'BANGKOK',
    amountMinor,
    reference,
  });
  return { action: 'qr', scheme: 'promptpay', payload };
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
  const layout = layouts[country];
  if (!layout) throw new Error(`The sandbox has no bank in ${country}`);
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

function cryptoOf({ choice, amountMinor, currency }: ExpectedPayment, { random, inUsd }: Making): Instructions {
  const code = choice as keyof typeof coins;
  const { network, decimals, usd } = coins[code];
  const price = new Big(formatMinor(amountMinor, minorUnitsOf(currency))).times(inUsd(currency));
  // Upwards: what is asked for must not be worth less than the price.
  const whole = price.div(usd).round(Math.min(decimals, 8), Big.roundUp);
  const amount = whole.toFixed();
  const units = whole.times(new Big(10).pow(decimals)).toFixed(0);
  const bytes = random.bytes(20);
  const bitcoin = code === 'btc';
  const address = bitcoin
    ? bech32.encode('bcrt', [0, ...bech32.toWords(bytes)])
    : `0x${Buffer.from(bytes).toString('hex')}`;
  return {
    action: 'crypto',
    currency: code.toUpperCase(),
    network,
    address,
    amount,
    uri: uriOf(code, address, amount, units),
    minConfirmations: bitcoin ? 2 : 12,
  };
}

/** BIP 21, EIP-681; the chain number is that of simulated chains. */
function uriOf(code: keyof typeof coins, address: string, amount: string, units: string): string {
  if (code === 'btc') return `bitcoin:${address}?amount=${amount}`;
  if (code === 'eth') return `ethereum:${address}@31337?value=${units}`;
  return `ethereum:${SANDBOX_TOKEN}@31337/transfer?address=${address}&uint256=${units}`;
}

const SANDBOX_TOKEN = '0x0000000000000000000000000000000000000001';

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
