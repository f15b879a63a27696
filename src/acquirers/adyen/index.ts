/*
 * Map of this folder: `client.ts` sends requests, `results.ts` and `declines.ts` map responses. `card.ts`,
 * `capture.ts`, `push.ts` and `refund.ts` implement the ports. `webhook.ts` parses webhooks, and `references.ts`
 * encodes our keys in Adyen's references. `methods.ts` lists the local methods. Reasons: docs/decisions/acquirers.md.
 */

import { toMillis } from '../../shared/time.ts';
import { NotProcessed } from '../port.ts';
import type { Adapter, CredentialsCheck } from '../adapter.ts';
import { createAdyenCaptures } from './capture.ts';
import { createAdyenCards } from './card.ts';
import { cardKeyOf, readCertificate } from './card-key.ts';
import { type AdyenClient, createAdyenClient, AccountRejected, RejectedRequest } from './client.ts';
import { type AdyenCredentials, credentialFields, credentialsSchema } from './credentials.ts';
import { capabilities } from './methods.ts';
import { createAdyenPush, paymentMethods } from './push.ts';
import { createAdyenRefunds } from './refund.ts';
import { parseAdyenWebhook } from './webhook.ts';

/** Adyen Checkout v71: cards and local methods of one merchant account. */
export const adyen: Adapter<AdyenCredentials> = {
  name: 'adyen',
  displayName: 'Adyen',
  credentials: credentialFields,
  credentialsSchema,
  capabilities,
  connect({ credentials, clock, fetch, random }) {
    const client = createAdyenClient({ credentials, fetch });
    const { merchantAccount, encryptionCertificate } = credentials;
    const certificate = encryptionCertificate === undefined ? null : readCertificate(encryptionCertificate);
    const refund = createAdyenRefunds(client, merchantAccount);
    return {
      card: createAdyenCards({
        ...{ client, merchantAccount, random, refund },
        manualCapture: createAdyenCaptures(client, merchantAccount),
        key: certificate && cardKeyOf(certificate),
      }),
      push: createAdyenPush({ client, credentials, clock, refund }),
      parseWebhook: (request) => parseAdyenWebhook(request, credentials),
      async check() {
        const expiresMs = certificate === null ? Infinity : certificate.validToDate.getTime();
        if (expiresMs <= toMillis(clock.now()))
          return { result: 'failed', detail: 'The card encryption certificate has expired. Download a new one.' };
        return await checkCredentials(client, merchantAccount);
      },
    };
  },
};

/** Lists the account's payment methods, which changes nothing. */
async function checkCredentials(client: AdyenClient, merchantAccount: string): Promise<CredentialsCheck> {
  try {
    const { paymentMethods: methods } = await client({
      path: '/paymentMethods',
      body: { merchantAccount },
      responseSchema: paymentMethods,
    });
    return { result: 'ok', detail: `Payment methods of the merchant account: ${methods.length}.` };
  } catch (error) {
    return describeFailure(error, merchantAccount);
  }
}

function describeFailure(error: unknown, merchantAccount: string): CredentialsCheck {
  if (error instanceof RejectedRequest)
    return { result: 'failed', detail: `Adyen rejected the request with error code ${error.errorCode}.` };
  const status = error instanceof AccountRejected ? error.status : null;
  if (status === 401)
    return { result: 'failed', detail: 'Adyen rejected the API key. Check that it belongs to this environment.' };
  if (status === 403)
    return { result: 'failed', detail: `The API key has no access to the merchant account ${merchantAccount}.` };
  const detail = error instanceof NotProcessed ? 'Adyen could not be reached.' : 'Adyen returned no valid response.';
  return { result: 'unreachable', detail: `${detail} Try again later.` };
}
