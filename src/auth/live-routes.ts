import { Hono } from 'hono';
import { eventTopic } from '../webhooks/events.ts';
import { formatInstant } from '../shared/time.ts';
import type { HttpEnv } from '../http/context.ts';
import type { LiveUpdates } from '../http/live-updates.ts';
import { Problem } from '../api/problem-error.ts';
import type { IdentifyPerson } from './access.ts';
import type { PeopleContext } from './context.ts';
import { readSessionCookie } from './cookie.ts';
import { findPerson, roleAt } from './users.ts';
import { findSession, sessionTopic } from './sessions.ts';

/**
 * Tells open pages of the account area that something has happened to a merchant, by a number that rises: they
 * read again what they show. It ends with the session.
 */
export function liveRoutes(options: {
  context: PeopleContext;
  identifyPerson: IdentifyPerson;
  pageEvents: LiveUpdates;
}): Hono<HttpEnv> {
  const { context, identifyPerson, pageEvents } = options;
  const { database, clock } = context;
  return new Hono<HttpEnv>().get('/v1/events/stream', async (http) => {
    const asked = { scope: 'transaction:read', method: 'GET' } as const;
    const caller = await identifyPerson(http, asked);
    if (!caller?.personId) throw new Problem('unauthorized', 'Sign in: the stream is for pages of the account area.');
    const { merchantId, personId } = caller;
    const secret = readSessionCookie(http, context.https) ?? '';
    const merchantTopic = eventTopic(merchantId);
    /** Who was taken out meanwhile hears no more. */
    const isStillMember = async () => {
      const person = await findPerson(database, personId);
      return person !== null && (await roleAt(database, person, merchantId)) !== null;
    };
    return await pageEvents.respond(http, () => {
      let changes = 0;
      return Promise.resolve({
        topics: [merchantTopic, sessionTopic(personId)],
        async readState(changedTopics: ReadonlySet<string>) {
          if (changedTopics.has(merchantTopic)) changes += 1;
          const isSignedIn = (await findSession(database, clock, secret)) !== null && (await isStillMember());
          const state = { serverTime: formatInstant(clock.now()), isSignedIn, changes };
          return { state, expiresAt: null, isFinal: !isSignedIn };
        },
      });
    });
  });
}
