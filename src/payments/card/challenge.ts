import type { ChargeOutcome } from '../../acquirers/port.ts';
import { linkUrl, type PaymentsContext } from '../context.ts';
import type { CardAttempt, FiatTransaction } from '../schema.ts';

/** The outcome of an attempt with an open challenge. */
export function storedChallenge({ challengeUrl, challengeFields }: CardAttempt): ChargeOutcome {
  const method = challengeFields === null ? 'GET' : 'POST';
  return { kind: 'challenge', challenge: { url: challengeUrl ?? '', method, fields: challengeFields ?? {} } };
}

/** The URL that starts a challenge: the issuer's own, or our page that posts the form to it. */
export function challengeStartUrl(
  context: Pick<PaymentsContext, 'publicUrl'>,
  { challengeUrl, challengeFields }: CardAttempt,
  { linkId }: Pick<FiatTransaction, 'linkId'>,
): string {
  return challengeFields === null ? (challengeUrl ?? '') : `${linkUrl(context, linkId)}/challenge`;
}
