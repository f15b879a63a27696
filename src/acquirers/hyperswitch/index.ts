/*
 * Map of this folder: `client.ts` sends requests, `results.ts` and `declines.ts` map responses. `payments.ts` has the
 * calls that `card.ts` and `push.ts` share; `capture.ts` and `refund.ts` implement the other ports. `webhook.ts`
 * parses webhooks, and `ids.ts` derives Hyperswitch's IDs from our keys. `methods.ts` lists the local methods.
 * Reasons: docs/decisions/acquirers.md.
 */

import { randomId } from '../../system/random.ts';
import type { Adapter, CredentialsCheck } from '../adapter.ts';
import { NotProcessed } from '../port.ts';
import { createHyperswitchCards } from './card.ts';
import {
  AccountRejected,
  createHyperswitchClient,
  type HyperswitchClient,
  NOT_FOUND,
  RejectedRequest,
} from './client.ts';
import { credentialFields, credentialsSchema, type HyperswitchCredentials } from './credentials.ts';
import { capabilities } from './methods.ts';
import { idOf } from './ids.ts';
import { createPayments } from './payments.ts';
import { createHyperswitchPush } from './push.ts';
import { createHyperswitchRefunds } from './refund.ts';
import { payment } from './results.ts';
import { parseHyperswitchWebhook } from './webhook.ts';

/** Hyperswitch API v1: cards and local methods of one business profile, through the connectors to which it routes. */
export const hyperswitch: Adapter<HyperswitchCredentials> = {
  name: 'hyperswitch',
  displayName: 'Hyperswitch',
  credentials: credentialFields,
  credentialsSchema,
  capabilities,
  connect({ credentials, fetch, clock, random }) {
    const client = createHyperswitchClient({ credentials, fetch });
    const payments = createPayments(client, credentials.profileId);
    return {
      card: createHyperswitchCards({ client, payments, refund: createHyperswitchRefunds(client, 'charge') }),
      push: createHyperswitchPush({ payments, clock, refund: createHyperswitchRefunds(client, 'push') }),
      parseWebhook: (request) => parseHyperswitchWebhook(request, credentials.responseHashKey),
      check: async () => await checkCredentials(client, idOf('charge', randomId(random))),
    };
  },
};

/** Looks up a payment that does not exist, which changes nothing. "Not found" proves access to the account. */
async function checkCredentials(client: HyperswitchClient, unknownId: string): Promise<CredentialsCheck> {
  try {
    await client({
      method: 'GET',
      path: `/payments/${unknownId}`,
      operation: 'a check of the credentials',
      responseSchema: payment,
    });
    return { result: 'ok', detail: 'Hyperswitch accepts the API key.' };
  } catch (error) {
    return describeFailure(error);
  }
}

function describeFailure(error: unknown): CredentialsCheck {
  if (error instanceof RejectedRequest) {
    if (error.code === NOT_FOUND) return { result: 'ok', detail: 'Hyperswitch accepts the API key.' };
    return { result: 'failed', detail: `Hyperswitch rejected the request with error code ${error.code}.` };
  }
  if (error instanceof AccountRejected && error.status !== 429) {
    const detail =
      error.status === 401
        ? 'Hyperswitch rejected the API key. Check that it belongs to the server of the API URL.'
        : 'The API key lacks permission to read payments.';
    return { result: 'failed', detail };
  }
  const isConnected = error instanceof AccountRejected || !(error instanceof NotProcessed);
  const detail = isConnected
    ? 'The server at the API URL returned no valid Hyperswitch response. Check the URL, or try again later.'
    : 'Hyperswitch could not be reached at the API URL.';
  return { result: 'unreachable', detail };
}
