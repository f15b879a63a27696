import { Hono } from 'hono';
import { eventTopic } from '../webhooks/events.ts';
import { formatInstant } from '../shared/time.ts';
import type { HttpEnv } from '../http/context.ts';
import type { PageEvents } from '../http/page-events.ts';
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
  pageEvents: PageEvents;
}): Hono<HttpEnv> {
  const { context, identifyPerson, pageEvents } = options;
  const { database, clock } = context;
  return new Hono<HttpEnv>().get('/v1/events/stream', async (http) => {
    const asked = { scope: 'transaction:read', method: 'GET' } as const;
    const caller = await identifyPerson(http, asked);
    if (!caller?.personId) throw new Problem('unauthorized', 'Sign in: the stream is for pages of the account area.');
    const { merchantId, personId } = caller;
    const secret = readSessionCookie(http, context.https) ?? '';
    const happenings = eventTopic(merchantId);
    /** Who was taken out meanwhile hears no more. */
    const isStillThere = async () => {
      const person = await findPerson(database, personId);
      return person !== null && (await roleAt(database, person, merchantId)) !== null;
    };
    return await pageEvents.answer(http, () => {
      let changes = 0;
      return Promise.resolve({
        topics: [happenings, sessionTopic(personId)],
        async look(news: ReadonlySet<string>) {
          if (news.has(happenings)) changes += 1;
          const isSignedIn = (await findSession(database, clock, secret)) !== null && (await isStillThere());
          const state = { serverTime: formatInstant(clock.now()), isSignedIn, changes };
          return { state, overAt: null, isLast: !isSignedIn };
        },
      });
    });
  });
}
