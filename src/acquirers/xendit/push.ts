import { toAlpha2 } from '../../api/country.ts';
import { parseMoment, toMillis } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { NotProcessed } from '../port.ts';
import type { PushAcquirer, PushPayment, PushPaymentKey, PushPaymentRequest, Receipt } from '../push-port.ts';
import type { IssueRefund } from '../refund.ts';
import { fromXenditAmount } from './amounts.ts';
import type { XenditCredentials } from './credentials.ts';
import { expiryOf, toInstructions } from './instructions.ts';
import { findLocalMethod } from './methods.ts';
import { type RequestRef, requestRef, type PaymentRequests } from './requests.ts';
import { descriptionOf, requireReturnUrl } from './request-fields.ts';
import type { Payment, PaymentRequest } from './results.ts';

/**
 * Local methods. For these, Xendit accepts a repeated reference. The service issues instructions once per key. If a key
 * is requested twice, the code or page of the first request was never shown.
 */
export function createXenditPush({
  requests,
  credentials,
  clock,
  refund,
}: {
  requests: PaymentRequests;
  credentials: XenditCredentials;
  clock: Clock;
  refund: IssueRefund;
}): PushAcquirer {
  const stateOf = async (request: PaymentRequest, { currency }: PushPaymentKey): Promise<PushPayment> => {
    const payment = await requests.fetchPayment(request);
    const receipts = payment?.status === 'SUCCEEDED' ? [receiptOf(payment, currency, clock)] : [];
    // The payment is reported after the request: until then, the receipt has no key.
    if (request.status === 'SUCCEEDED' && receipts.length === 0)
      throw new Error('Xendit reported a paid request without its payment');
    const states: Readonly<Record<string, PushPayment['state']>> = {
      ...{ SUCCEEDED: 'closed', CANCELED: 'closed', EXPIRED: 'closed', FAILED: 'refused' },
    };
    const state = receipts.length > 0 ? 'closed' : (states[request.status] ?? 'open');
    return { state, receipts, confirmations: null, acquirerReference: request.payment_request_id };
  };
  const refOf = (payment: PushPaymentKey): RequestRef =>
    requestRef(payment.instructionsKey, payment.acquirerReference, payment);

  return {
    refund,

    async listChoices(payment) {
      return await Promise.resolve({ choices: findLocalMethod(payment)?.banks ?? [], quoteExpiresAt: null });
    },

    async issueInstructions(payment) {
      const { local, channel } = channelOf(payment, credentials);
      const { expected } = requestRef(payment.instructionsKey, null, payment);
      const created = await requests.create(expected, createBody(payment, local, channel.code, credentials));
      if (created.status === 'FAILED')
        throw new NotProcessed(`Xendit rejected ${channel.code}: ${created.failure_code ?? 'no failure code'}`);
      const instructions =
        created.status === 'REQUIRES_ACTION'
          ? toInstructions(created, local.instructionsKind, { payment, bankName: channel.bankName, credentials })
          : null;
      if (!instructions) {
        // The service withdraws a payment for which no instructions were issued, but never receives the ID of this
        // request. Funds that still arrive are reported.
        await requests.cancel({ expected, id: created.payment_request_id }).catch(() => null);
        throw new Error(`Xendit returned no next action to show for ${channel.code}: ${created.status}`);
      }
      return {
        instructions,
        reference: payment.paymentReference,
        acquirerReference: created.payment_request_id,
        expiresAt: expiryOf(created, {
          ...{ expiresAt: payment.expiresAt, now: clock.now(), maximumValidity: local.maximumValidity },
        }),
      };
    },

    async fetchPayment(payment) {
      const request = await requests.find(refOf(payment));
      return request && (await stateOf(request, payment));
    },

    /** If the channel cannot cancel, the request stays open: the service then expects a late payment. */
    async withdraw(payment) {
      const request = await requests.cancel(refOf(payment));
      const state = request && (await stateOf(request, payment));
      return state?.state === 'open' ? null : state;
    },
  };
}

type LocalMethod = NonNullable<ReturnType<typeof findLocalMethod>>;

function channelOf(payment: PushPaymentRequest, credentials: XenditCredentials) {
  const local = findLocalMethod(payment);
  const { choice } = payment;
  const isKnownBank = local?.banks === undefined ? choice === null : local.banks.some(({ code }) => code === choice);
  if (!local || !isKnownBank)
    throw new NotProcessed(`Xendit does not offer ${payment.method.code} in ${payment.country}`);
  return { local, channel: local.channel(choice, credentials) };
}

function createBody(
  payment: PushPaymentRequest,
  { instructionsKind }: LocalMethod,
  channelCode: string,
  credentials: XenditCredentials,
): object {
  const returnUrl = instructionsKind === 'page' ? requireReturnUrl(payment.returnUrl, credentials) : null;
  return {
    country: toAlpha2(payment.country),
    channel_code: channelCode,
    channel_properties:
      returnUrl === null
        ? {
            expires_at: new Date(toMillis(payment.expiresAt)).toISOString(),
            ...(instructionsKind === 'account' && { display_name: accountName(payment.merchantName) }),
          }
        : { success_return_url: returnUrl, failure_return_url: returnUrl },
    ...descriptionOf(payment.description, payment.paymentReference),
  };
}

/** Account name that banks show to the payer: letters, digits and spaces. */
function accountName(merchantName: string): string {
  const name = merchantName
    .normalize('NFKD')
    .replaceAll('đ', 'd')
    .replaceAll('Đ', 'D')
    .replaceAll(/[^A-Za-z0-9 ]/g, '')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, 50);
  return name || 'Merchant';
}

/** A request is paid once. A virtual account can receive a different amount than requested. */
function receiptOf(payment: Payment, currency: PushPaymentKey['currency'], clock: Clock): Receipt {
  if (payment.currency !== currency) throw new Error('Xendit reported a payment in another currency');
  const captures = payment.captures ?? [];
  const amounts = captures.length > 0 ? captures.map((each) => each.capture_amount) : [payment.request_amount];
  const receivedAt = captures[0]?.capture_timestamp ?? payment.updated ?? '';
  return {
    receiptKey: payment.payment_id,
    amountMinor: amounts.reduce((sum, amount) => sum + fromXenditAmount(amount, currency), 0n),
    receivedAt: parseMoment(receivedAt)?.at ?? clock.now(),
  };
}
