import { type Random, randomId } from '../../system/random.ts';
import { CHARGE_REQUEST_TIMEOUT_MS } from '../http.ts';
import {
  type CardAcquirer,
  type CardCharge,
  type CardKey,
  type ChargeKey,
  type ChargeOutcome,
  type EncryptedCardCharge,
  followUp,
  InvalidRequest,
} from '../port.ts';
import type { ManualCapture } from '../capture.ts';
import type { IssueRefund } from '../refund.ts';
import { toAdyenAmount } from './amounts.ts';
import { chargeRequest } from './charge-request.ts';
import { type AdyenClient, RejectedRequest } from './client.ts';
import { declineOf, declineOfRejection } from './declines.ts';
import { cardReference, toReference } from './references.ts';
import { modificationResult, chargeOutcome, type PaymentResult, paymentResult } from './results.ts';

/**
 * Cards through Checkout. Adyen has no API to look up a payment: if the response is lost, the outcome arrives as a
 * webhook.
 */
export function createAdyenCards({
  client,
  merchantAccount,
  random,
  refund,
  manualCapture,
  key,
}: {
  client: AdyenClient;
  merchantAccount: string;
  random: Random;
  refund: IssueRefund;
  manualCapture: ManualCapture;
  /** Set if the account requires cards to be encrypted in the browser. */
  key: CardKey | null;
}): CardAcquirer {
  const amountOf = ({ amountMinor, currency }: Pick<ChargeKey, 'amountMinor' | 'currency'>) =>
    toAdyenAmount(amountMinor, currency);

  const reverse = async (attemptKey: string, pspReference: string) => {
    const reference = toReference('reversal', attemptKey);
    await client({
      path: `/payments/${encodeURIComponent(pspReference)}/reversals`,
      body: { merchantAccount, reference },
      responseSchema: modificationResult,
      idempotencyKey: reference,
    });
  };

  /** A partial authorization does not pay the transaction: it is voided, and the charge counts as declined. */
  const resolveOutcome = async (
    { attemptKey, ...key }: Pick<ChargeKey, 'attemptKey' | 'amountMinor' | 'currency'>,
    result: PaymentResult,
  ): Promise<ChargeOutcome> => {
    const { pspReference } = result;
    if (result.resultCode !== 'PartiallyAuthorised') return chargeOutcome(result, amountOf(key));
    if (pspReference === undefined) throw new Error('Adyen returned a partial authorization without a reference');
    await followUp(async () => await reverse(attemptKey, pspReference));
    const decline = declineOf({ refusalReasonCode: '12' }, result.additionalData);
    return { kind: 'declined', reference: pspReference, decline };
  };

  const sendCharge = async (charge: CardCharge | EncryptedCardCharge): Promise<ChargeOutcome> => {
    const amount = amountOf(charge);
    const reference = cardReference(charge.attemptKey, amount.value);
    try {
      const result = await client({
        path: '/payments',
        body: chargeRequest(charge, { merchantAccount, reference, amount }),
        responseSchema: paymentResult,
        // A repeated charge gets the response to the first one.
        idempotencyKey: reference,
        timeoutMs: CHARGE_REQUEST_TIMEOUT_MS,
      });
      return await resolveOutcome(charge, result);
    } catch (error) {
      const decline = error instanceof RejectedRequest ? declineOfRejection(error.errorCode) : null;
      if (!decline) throw error;
      return { kind: 'declined', decline };
    }
  };

  return {
    refund,
    manualCapture,

    async charge(charge) {
      if (key) throw new InvalidRequest('The Adyen account accepts only encrypted card data');
      return await sendCharge(charge);
    },

    ...(key && { encrypted: { key, charge: sendCharge } }),

    async complete(charge, returned) {
      const details = returnedDetails(returned);
      if (!details) return null;
      const result = await completePayment(client, details);
      // Anyone can open the return URL, even with the result of another payment of the same merchant account.
      if (!result || !isResultOf(charge, amountOf(charge).value, result)) return null;
      return await resolveOutcome(charge, result);
    },

    /**
     * Cancels by our own reference, since the response with Adyen's may be lost. A charge that Adyen receives later is
     * canceled by the next poll: each cancellation has its own idempotency key. The result is a TECHNICAL_CANCEL or an
     * AUTHORISATION webhook (Adyen's page "Cancel").
     */
    async abandon(charge) {
      const reference = cardReference(charge.attemptKey, amountOf(charge).value);
      await client({
        path: '/cancels',
        // Webhooks carry one of the two references, so we send the same value in both.
        body: { merchantAccount, paymentReference: reference, reference },
        responseSchema: modificationResult,
        idempotencyKey: randomId(random),
      });
      return { kind: 'unknown' };
    },

    async reverse({ attemptKey, reference }) {
      if (reference === null) throw new Error('The charge has no Adyen reference yet');
      try {
        await reverse(attemptKey, reference);
      } catch (error) {
        if (!(error instanceof RejectedRequest)) throw error;
        return { kind: 'refused', code: `adyen_${error.errorCode}` };
      }
      return { kind: 'requested' };
    },
  };
}

/** The parameters on the return URL that complete a payment (Adyen's page "Handle the redirect"); null without them. */
function returnedDetails(returned: Readonly<Record<string, string>>): Record<string, string> | null {
  const { redirectResult, payload, MD, PaRes } = returned;
  if (redirectResult !== undefined) return { redirectResult };
  if (payload !== undefined) return { payload };
  return MD !== undefined && PaRes !== undefined ? { MD, PaRes } : null;
}

/** Sends the parameters of the buyer's return; null if Adyen did not issue them. */
async function completePayment(client: AdyenClient, details: Record<string, string>): Promise<PaymentResult | null> {
  try {
    return await client({
      path: '/payments/details',
      body: { details },
      responseSchema: paymentResult,
      timeoutMs: CHARGE_REQUEST_TIMEOUT_MS,
    });
  } catch (error) {
    if (error instanceof RejectedRequest) return null;
    throw error;
  }
}

/** True if a result belongs to a charge. */
function isResultOf({ attemptKey, reference }: ChargeKey, value: number, result: PaymentResult): boolean {
  const { merchantReference, pspReference } = result;
  return merchantReference === undefined
    ? reference !== null && pspReference === reference
    : merchantReference === cardReference(attemptKey, value);
}
