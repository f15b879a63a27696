/*
 * Map of this folder: `client.ts` sends requests, `results.ts` and `declines.ts` map responses. `requests.ts` has the
 * calls that `card.ts` and `push.ts` share; `capture.ts` and `refund.ts` implement the other ports. `webhook.ts`
 * parses webhooks. `methods.ts` lists the local methods. Reasons: docs/decisions/acquirers.md.
 */

import { z } from 'zod';
import type { AccountContext, Adapter, CredentialsCheck } from '../adapter.ts';
import { NotProcessed } from '../port.ts';
import { createXenditCards } from './card.ts';
import { createXenditClient, RejectedRequest, type XenditClient } from './client.ts';
import { credentialFields, credentialsSchema, isKeyFor, type XenditCredentials } from './credentials.ts';
import { capabilities } from './methods.ts';
import { createXenditPush } from './push.ts';
import { createXenditRefunds } from './refund.ts';
import { canReturnTo } from './request-fields.ts';
import { createPaymentRequests } from './requests.ts';
import { parseXenditWebhook } from './webhook.ts';

/** Xendit Payments API of 2024-11-11: cards and local methods of one business account. */
export const xendit: Adapter<XenditCredentials> = {
  name: 'xendit',
  displayName: 'Xendit',
  credentials: credentialFields,
  credentialsSchema,
  capabilities,
  // Xendit allows 600 calls a minute per endpoint (60 in test mode). Half of that, since a full bucket allows a burst.
  callsPerMinute: 300,
  connect(account) {
    const { credentials, clock } = account;
    const client = createXenditClient(account);
    const requests = createPaymentRequests(client);
    const { refund, reverse } = createXenditRefunds(client, requests);
    return {
      card: createXenditCards({ requests, credentials, refund, reverse }),
      push: createXenditPush({ requests, credentials, clock, refund }),
      parseWebhook: (request) => parseXenditWebhook(request, credentials.callbackToken),
      check: async () => await checkAccount(client, account),
    };
  },
};

const UNKNOWN_REQUEST = 'pr-00000000-0000-0000-0000-000000000000';

/** Checks the API key with two reads: a nonexistent payment request, and the transactions. */
async function checkAccount(
  client: XenditClient,
  { credentials, environment, publicUrl }: AccountContext<XenditCredentials>,
): Promise<CredentialsCheck> {
  if (!isKeyFor(credentials, environment)) {
    const kind = environment === 'production' ? 'live key (xnd_production_…)' : 'test key (xnd_development_…)';
    return { result: 'failed', detail: `The ${environment} needs a ${kind}.` };
  }
  return (
    (await checkReadAccess(client, `/v3/payment_requests/${UNKNOWN_REQUEST}`, 'Money-In')) ??
    (await checkReadAccess(client, '/transactions', 'Transactions')) ??
    (canReturnTo(publicUrl, credentials)
      ? { result: 'ok', detail: 'Xendit accepts the API key.' }
      : { result: 'failed', detail: 'Xendit returns buyers to https URLs only. Set PUBLIC_URL to one.' })
  );
}

/** Null if the API key may read this path. */
async function checkReadAccess(
  client: XenditClient,
  path: string,
  permission: string,
): Promise<CredentialsCheck | null> {
  try {
    await client({ method: 'GET', path, operation: 'a check of the credentials', responseSchema: z.unknown() });
    return null;
  } catch (error) {
    return describeFailure(error, permission);
  }
}

function describeFailure(error: unknown, permission: string): CredentialsCheck | null {
  if (error instanceof RejectedRequest) {
    const { status, code } = error;
    if (status === 404) return null;
    if (status === 401) return { result: 'failed', detail: 'Xendit rejected the API key.' };
    if (status === 403) return { result: 'failed', detail: `The API key lacks permission to read ${permission}.` };
    if (status === 429)
      return { result: 'unreachable', detail: 'Xendit’s rate limit was reached. Try again in a minute.' };
    return { result: 'failed', detail: `Xendit rejected the request with error code ${code}.` };
  }
  const isConnected = !(error instanceof NotProcessed);
  const detail = isConnected ? 'Xendit returned no valid response. Try again later.' : 'Xendit could not be reached.';
  return { result: 'unreachable', detail };
}
