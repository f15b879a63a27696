import { Hono } from 'hono';
import * as operations from '../../api/operations/reusable-links.ts';
import type { HttpEnv } from '../../http/context.ts';
import type { ServeApi } from '../../operations/principal.ts';
import type { PaymentsContext } from '../context.ts';
import {
  archiveReusableLink,
  checkLink,
  checkUpdate,
  createReusableLink,
  readLinkEntry,
  readLinkEntries,
  lockReusableLink,
  requireReusableLink,
  updateReusableLink,
} from './manage.ts';
import { shortenReservations } from './stock.ts';
import { readReusableLinks } from './store.ts';

/** The merchant API of reusable links. */
export function reusableLinkRoutes({ context, serve }: { context: PaymentsContext; serve: ServeApi }): Hono<HttpEnv> {
  const { database } = context;
  const routes = new Hono<HttpEnv>();

  serve(routes, operations.createReusableLink, async ({ caller: { merchantId }, body, storeResponse }) => {
    const fields = await checkLink(context, merchantId, body);
    return await database.inTransaction(async (unit) => {
      const created = await createReusableLink(context, unit, merchantId, fields);
      await storeResponse(unit, created);
      return created;
    });
  });

  serve(routes, operations.listReusableLinks, async ({ caller: { merchantId }, query }) => {
    const { links, nextCursor } = await readReusableLinks(database, merchantId, query);
    return { reusable_links: await readLinkEntries(context, database, merchantId, links), next_cursor: nextCursor };
  });

  serve(
    routes,
    operations.getReusableLink,
    async ({ caller: { merchantId }, query }) =>
      await readLinkEntry(context, database, await requireReusableLink(database, merchantId, query.id)),
  );

  serve(routes, operations.updateReusableLink, async ({ caller: { merchantId }, body: { id, ...changes } }) => {
    for (;;) {
      // Methods and fees are read before the lock: no other query may run inside a unit of work.
      const link = await requireReusableLink(database, merchantId, id);
      const fields = await checkUpdate(context, link, changes);
      const updated = await database.inTransaction(async (unit) => {
        const locked = await lockReusableLink(unit, merchantId, id);
        return locked.updatedAt === link.updatedAt ? await updateReusableLink(context, unit, locked, fields) : null;
      });
      // Another request changed it in between: its changes are kept.
      if (!updated) continue;
      if (fields.stock !== null) await shortenReservations(context, link);
      return updated;
    }
  });

  serve(routes, operations.archiveReusableLink, async ({ caller: { merchantId }, body, storeResponse }) =>
    database.inTransaction(async (unit) => {
      const link = await lockReusableLink(unit, merchantId, body.id);
      const archived = await archiveReusableLink(context, unit, link, body.archived ?? true);
      await storeResponse(unit, archived);
      return archived;
    }),
  );
  return routes;
}
