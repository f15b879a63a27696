import type { CurrencyCode } from '../../api/currency.ts';
import type { MethodChoice } from '../../api/instructions.ts';
import { DAY, HOUR, type Instant, MINUTE } from '../../shared/time.ts';
import type { MethodCapability } from '../adapter.ts';
import { localMethodFinder } from '../local-methods.ts';
import { accountBanks } from './account-banks.ts';
import { xenditCurrencies, xenditIncrements } from './amounts.ts';
import { onlineBanks } from './banks.ts';
import type { XenditCredentials } from './credentials.ts';

/** A channel for one payment, and the name of the bank that issues the virtual account. */
interface Channel {
  code: string;
  bankName: string | null;
}

/** A push payment method in a country. */
interface LocalMethod extends Pick<MethodCapability, 'refunds' | 'minimum' | 'maximum'> {
  method: string;
  /** ISO 3166-1 alpha-3. */
  country: 'IDN' | 'MYS' | 'PHL' | 'THA' | 'VNM';
  currency: CurrencyCode;
  /** Kind of instructions that the buyer sees. */
  instructionsKind: 'qr' | 'account' | 'page';
  /** Banks that the buyer can choose. */
  banks?: readonly MethodChoice[];
  /** Time after which Xendit expires the request; absent: we set the expiry. */
  maximumValidity?: Instant;
  channel(choice: string | null, credentials: XenditCredentials): Channel;
}

/**
 * The local methods. Refunds, limits and expiries follow Xendit's pages of the channels, read in 2026. Limits that
 * differ between banks, or that we could not read, are enforced by Xendit.
 */
export const localMethods: readonly LocalMethod[] = [
  {
    ...{ method: 'qr_code', country: 'THA', currency: 'THB', instructionsKind: 'qr', refunds: 'none' },
    ...{ minimum: { THB: 1_00n }, maximum: { THB: 700_000_00n } },
    channel: (_choice, { promptPayChannel = 'PROMPTPAY' }) => ({ code: promptPayChannel, bankName: null }),
  },
  {
    ...{ method: 'virtual_account', country: 'IDN', currency: 'IDR', instructionsKind: 'account', refunds: 'none' },
    channel: (_choice, { accountBank = 'permata' }) => virtualAccount(accountBank, accountBanks.IDN[accountBank]),
  },
  {
    ...{ method: 'virtual_account', country: 'VNM', currency: 'VND', instructionsKind: 'account', refunds: 'none' },
    channel: (_choice, { vietnameseAccountBank: bank = 'vietcapital' }) => virtualAccount(bank, accountBanks.VNM[bank]),
  },
  { ...bankingIn('MYS', 'MYR'), minimum: { MYR: 1_00n } },
  bankingIn('PHL', 'PHP'),
  { ...bankingIn('THA', 'THB'), minimum: { THB: 20_00n }, maximumValidity: 15 * MINUTE },
  {
    ...walletIn('THA', 'THB', 'truemoney_ewallet', 'TRUEMONEY', 'none'),
    ...{ minimum: { THB: 1_00n }, maximum: { THB: 50_000_00n }, maximumValidity: 2 * HOUR },
  },
  philippineWallet('gcash_ewallet', 'GCASH'),
  philippineWallet('maya_ewallet', 'PAYMAYA'),
  philippineWallet('grabpay_ewallet', 'GRABPAY'),
  walletIn('VNM', 'VND', 'momo_ewallet', 'MOMO', 'partial'),
];

function virtualAccount(bank: string, bankName: string): Channel {
  return { code: `${bank.toUpperCase()}_VIRTUAL_ACCOUNT`, bankName };
}

/** The buyer's choice is the channel. */
function bankingIn(country: keyof typeof onlineBanks, currency: CurrencyCode): LocalMethod {
  return {
    ...{
      method: 'online_banking',
      country,
      currency,
      instructionsKind: 'page',
      refunds: 'none',
      banks: onlineBanks[country],
    },
    channel: (choice) => ({ code: choice ?? '', bankName: null }),
  };
}

function walletIn(
  country: LocalMethod['country'],
  currency: CurrencyCode,
  method: string,
  code: string,
  refunds: MethodCapability['refunds'],
): LocalMethod {
  return { method, country, currency, instructionsKind: 'page', refunds, channel: () => ({ code, bankName: null }) };
}

function philippineWallet(method: string, code: string): LocalMethod {
  return {
    ...walletIn('PHL', 'PHP', method, code, 'partial'),
    ...{ minimum: { PHP: 1_00n }, maximum: { PHP: 100_000_00n }, maximumValidity: 15 * MINUTE },
  };
}

/**
 * The methods that Xendit offers. A canceled or expired request should receive no funds, but a bank or wallet may have
 * accepted the payment just before: push payments can be late.
 */
export const capabilities: readonly MethodCapability[] = [
  {
    method: 'credit_card',
    countries: 'all',
    currencies: xenditCurrencies,
    increments: xenditIncrements,
    refunds: 'partial',
    // Xendit's page "Authorize and capture".
    manualCapture: { validity: 7 * DAY },
    latePayments: false,
    payerFields: [],
  },
  ...localMethods.map(
    ({ method, country, currency, refunds, minimum, maximum, maximumValidity }): MethodCapability => ({
      ...{ method, countries: [country], currencies: [currency], increments: xenditIncrements },
      ...{ refunds, latePayments: true, payerFields: [] },
      ...(minimum && { minimum }),
      ...(maximum && { maximum }),
      ...(maximumValidity !== undefined && { maximumValidity }),
    }),
  ),
];

/** Finds the local method of a payment; null if Xendit does not offer it. */
export const findLocalMethod = localMethodFinder(localMethods);
