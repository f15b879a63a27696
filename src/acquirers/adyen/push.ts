import { z } from 'zod';
import { toAlpha2 } from '../../api/country.ts';
import { type Instant, MINUTE, toMillis } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { InvalidRequest } from '../port.ts';
import type { MethodChoices, PushAcquirer, PushPayer, PushPaymentRequest, QuoteRequest } from '../push-port.ts';
import type { IssueRefund } from '../refund.ts';
import { accountBanks } from './account-banks.ts';
import { toAdyenAmount } from './amounts.ts';
import { shopperLocale } from './charge-request.ts';
import type { AdyenClient } from './client.ts';
import type { AdyenCredentials } from './credentials.ts';
import { expiryOf, toInstructions } from './instructions.ts';
import { findLocalMethod } from './methods.ts';
import { toReference } from './references.ts';
import { paymentResult } from './results.ts';

export const paymentMethods = z.object({
  paymentMethods: z
    .array(
      z.object({
        type: z.string(),
        name: z.string(),
        issuers: z
          .array(z.object({ id: z.string(), name: z.string(), disabled: z.boolean().default(false) }))
          .default([]),
      }),
    )
    .default([]),
});

/** Banks shown first. Adyen lists them in its own order of preference. */
const POPULAR_COUNT = 4;

const CHOICES_KEPT: Instant = MINUTE;

/** Local methods through Checkout. Adyen has no API to look up a payment: receipts arrive as webhooks. */
export function createAdyenPush({
  client,
  credentials: { merchantAccount, accountBank = 'permata' },
  clock,
  refund,
}: {
  client: AdyenClient;
  credentials: AdyenCredentials;
  clock: Clock;
  refund: IssueRefund;
}): PushAcquirer {
  const typeOf = (payment: Pick<QuoteRequest, 'method' | 'country' | 'currency'>): string => {
    const localMethod = findLocalMethod(payment);
    if (!localMethod) throw new InvalidRequest(`Adyen does not offer ${payment.method.code} in ${payment.country}`);
    return localMethod.type ?? accountBanks[accountBank].type;
  };

  const fetchChoices = async (payment: QuoteRequest): Promise<MethodChoices> => {
    const type = typeOf(payment);
    const { paymentMethods: offered } = await client({
      path: '/paymentMethods',
      body: {
        merchantAccount,
        countryCode: countryCode(payment),
        amount: toAdyenAmount(payment.amountMinor, payment.currency),
        channel: 'Web',
        allowedPaymentMethods: [type],
      },
      responseSchema: paymentMethods,
    });
    const method = offered.find((each) => each.type === type);
    const issuers = method?.issuers.filter(({ disabled }) => !disabled) ?? [];
    const options = method?.issuers.length === 0 ? [{ id: type, name: method.name }] : issuers;
    const choices = options.map(({ id, name }, index) => ({ code: id, name, isPopular: index < POPULAR_COUNT }));
    return { choices, quoteExpiresAt: null };
  };
  /** Recent choices, so that the reads of open pages send few requests. */
  const listed = new Map<string, { choices: Promise<MethodChoices>; until: Instant }>();

  return {
    refund,

    /**
     * The banks of the method. If the bank is chosen on Adyen's page, there is one choice: the method itself, with
     * Adyen's name for it.
     */
    async listChoices(payment) {
      const { method, country, currency, amountMinor } = payment;
      if (method.choice === undefined) return { choices: [], quoteExpiresAt: null };
      const now = clock.now();
      for (const [key, { until }] of listed) if (until <= now) listed.delete(key);
      // Adyen lists only methods that accept the amount.
      const key = [method.code, country, currency, amountMinor].join(' ');
      const choices = listed.get(key)?.choices ?? fetchChoices(payment);
      if (!listed.has(key)) listed.set(key, { choices, until: now + CHOICES_KEPT });
      try {
        return await choices;
      } catch (error) {
        listed.delete(key);
        throw error;
      }
    },

    async issueInstructions(payment) {
      const type = typeOf(payment);
      const reference = toReference('push', payment.instructionsKey);
      const result = await client({
        path: '/payments',
        body: paymentRequest(payment, { merchantAccount, reference, type }),
        responseSchema: paymentResult,
        idempotencyKey: reference,
      });
      const { pspReference = null, resultCode, action } = result;
      if (resultCode === 'Refused' || resultCode === 'Cancelled' || resultCode === 'Error')
        throw new InvalidRequest(`Adyen rejected the payment method ${type}`);
      const instructions = action ? toInstructions(action, payment, type) : null;
      // The payment may exist. Its instructions are withdrawn, and funds that still arrive are reported.
      if (!action || !instructions) throw new Error(`Adyen returned no next action that can be shown for ${type}`);
      return {
        instructions,
        reference: pspReference ?? reference,
        acquirerReference: pspReference,
        expiresAt: expiryOf(action, payment.expiresAt),
      };
    },

    /** Adyen cannot be polled: webhooks report every receipt. */
    fetchPayment: () => Promise.resolve(null),

    /** Only authorized card payments can be canceled: the bank or wallet may still send the funds. */
    withdraw: () => Promise.resolve(null),
  };
}

function countryCode({ country }: Pick<QuoteRequest, 'country'>): string {
  const code = toAlpha2(country);
  if (code === null) throw new InvalidRequest(`Unknown country ${country}`);
  return code;
}

function paymentRequest(
  payment: PushPaymentRequest,
  { merchantAccount, reference, type }: { merchantAccount: string; reference: string; type: string },
): object {
  const { payer } = payment;
  return {
    merchantAccount,
    reference,
    amount: toAdyenAmount(payment.amountMinor, payment.currency),
    countryCode: countryCode(payment),
    merchantOrderReference: payment.paymentReference,
    paymentMethod: methodDetails(payment, type),
    returnUrl: payment.returnUrl,
    channel: 'Web',
    // We link to the bank's page, so Adyen must not return a form.
    redirectToIssuerMethod: 'GET',
    redirectFromIssuerMethod: 'GET',
    sessionValidity: new Date(toMillis(payment.expiresAt)).toISOString(),
    ...(payer.name !== undefined && { shopperName: splitName(payer.name) }),
    ...(payer.email !== undefined && { shopperEmail: payer.email }),
    ...(payer.ipAddress !== undefined && { shopperIP: payer.ipAddress }),
    ...(payer.phone !== undefined && { telephoneNumber: payer.phone }),
    ...(payer.locale !== undefined && shopperLocale(payer.locale)),
    ...(type === 'payto' && { shopperStatement: statementDescriptor(payment.merchantName) }),
  };
}

function methodDetails({ choice, payer }: PushPaymentRequest, type: string): object {
  if (type.startsWith('doku_'))
    return { type, ...splitName(required(payer, 'name', type)), shopperEmail: required(payer, 'email', type) };
  if (type === 'payto') {
    // Adyen requires the name as well.
    required(payer, 'name', type);
    return { type, shopperAccountIdentifier: required(payer, 'handle', type) };
  }
  return choice === null || choice === type ? { type } : { type, issuer: choice };
}

function required(payer: PushPayer, field: 'name' | 'email' | 'handle', type: string): string {
  const value = payer[field]?.trim();
  if (!value) throw new InvalidRequest(`Adyen requires the payer's ${field} for ${type}`);
  return value;
}

/** Splits a name at its last space. A single name is used as both first and last name. */
function splitName(name: string): { firstName: string; lastName: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return { firstName: (words.slice(0, -1).join(' ') || last).slice(0, 80), lastName: last.slice(0, 80) };
}

/** Statement descriptor: at most 22 characters that Adyen allows. */
function statementDescriptor(name: string): string {
  const text = name
    .normalize('NFKD')
    .replaceAll(/[^\w .,'?+*/-]/g, '')
    .trim()
    .slice(0, 22);
  return text || 'Payment';
}
