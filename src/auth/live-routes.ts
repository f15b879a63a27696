import { Hono } from 'hono';
import { eventTopic } from '../webhooks/events.ts';
import { formatInstant } from '../shared/time.ts';
import type { HttpEnv } from '../http/context.ts';
import { type LiveUpdates, movedTopic } from '../http/live-updates.ts';
import { Problem } from '../api/problem-error.ts';
import type { IdentifyUser } from './access.ts';
import type { AuthContext } from './context.ts';
import { readSessionCookie } from './cookie.ts';
import { findUser, findRole } from './users.ts';
import { findSession, sessionTopic } from './sessions.ts';

/**
 * Live updates for pages of the account area: a counter that rises with each change of the merchant's data, after
 * which the pages reload. The stream ends with the session.
 */
export function liveRoutes(options: {
  context: AuthContext;
  identifyUser: IdentifyUser;
  liveUpdates: LiveUpdates;
}): Hono<HttpEnv> {
  const { context, identifyUser, liveUpdates } = options;
  const { database, clock } = context;
  return new Hono<HttpEnv>().get('/v1/events/stream', async (http) => {
    const requirements = { scope: 'transaction:read', method: 'GET' } as const;
    const caller = await identifyUser(http, requirements);
    if (!caller?.userId)
      throw new Problem('unauthorized', 'This stream is for pages of the account area. Sign in first.');
    const { merchantId, userId } = caller;
    const secret = readSessionCookie(http, context.https) ?? '';
    const merchantTopic = eventTopic(merchantId);
    /** Removed members receive no further updates. */
    const isStillMember = async () => {
      const user = await findUser(database, userId);
      return user !== null && (await findRole(database, user, merchantId)) !== null;
    };
    return await liveUpdates.respond(http, () => {
      let changes = 0;
      return Promise.resolve({
        topics: [merchantTopic, sessionTopic(userId), movedTopic(merchantId)],
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
