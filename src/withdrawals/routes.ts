import { Hono } from 'hono';
import * as operations from '../api/operations/withdrawals.ts';
import type { ServeApi } from '../operations/principal.ts';
import type { HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import type { WithdrawalsContext } from './context.ts';
import { cancelWithdrawal } from './cancel.ts';
import { createWithdrawal } from './create.ts';
import { readWithdrawalDetail, readApiWithdrawal, readApiWithdrawals } from './api-withdrawal.ts';
import { readPendingDestinations } from './destinations.ts';
import { listWithdrawals } from './list.ts';
import { findWithdrawal } from './store.ts';
import { submitWithdrawal } from './submit.ts';

/** API routes of withdrawals. */
export function withdrawalRoutes({ context, serve }: { context: WithdrawalsContext; serve: ServeApi }): Hono<HttpEnv> {
  const { database } = context;
  const routes = new Hono<HttpEnv>();

  serve(routes, operations.listWithdrawals, async ({ caller, query }) => {
    const { withdrawals, next_cursor } = await listWithdrawals(database, caller.merchantId, query);
    return {
      withdrawals: await readApiWithdrawals(database, withdrawals),
      pendingDestinations: await readPendingDestinations(database, caller.merchantId, context.clock.now()),
      next_cursor,
    };
  });

  serve(routes, operations.getWithdrawal, async ({ caller, query }) => {
    const withdrawal = await findWithdrawal(database, caller.merchantId, query.id);
    if (!withdrawal) throw new Problem('not_found', 'No withdrawal has this ID.');
    return await readWithdrawalDetail(database, withdrawal);
  });

  serve(routes, operations.createWithdrawal, async ({ caller, body, storeResponse }) => {
    return await createWithdrawal(context, caller, body, storeResponse);
  });

  serve(
    routes,
    operations.cancelWithdrawal,
    async ({ caller, body, storeResponse }) => await cancelWithdrawal(context, caller, body.id, storeResponse),
  );

  serve(routes, operations.submitWithdrawal, async ({ caller, body }) =>
    readApiWithdrawal(database, await submitWithdrawal(context, caller.merchantId, body)),
  );
  return routes;
}
