import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Runner } from '../database/engine.ts';
import type { UnitOfWork } from '../database/database.ts';
import { type MailKind, type OptionalMailKind, optionalMailKinds } from '../shared/mail-kinds.ts';
import type { Instant } from '../shared/time.ts';
import { db } from './schema.ts';

/** Users who turned a kind of notification off. */
export async function listOptOuts(reader: Runner, kind: MailKind): Promise<ReadonlySet<number>> {
  const optional = optionalMailKinds.find((each) => each === kind);
  if (optional === undefined) return new Set();
  const rows = await db(reader).selectFrom('mail_opt_outs').select('person_id').where('kind', '=', optional).execute();
  return new Set(rows.map((row) => row.person_id));
}

/** The notifications that a user can turn off, and whether they are on. */
export async function readNotifications(reader: Runner, userId: number) {
  const rows = await db(reader).selectFrom('mail_opt_outs').select('kind').where('person_id', '=', userId).execute();
  return optionalMailKinds.map((kind) => ({ kind, is_on: !rows.some((row) => row.kind === kind) }));
}

/** Turns a notification on or off. */
export async function setNotification(
  unit: UnitOfWork,
  { userId, kind, isOn, now }: { userId: number; kind: OptionalMailKind; isOn: boolean; now: Instant },
): Promise<void> {
  if (isOn) {
    await db(unit).deleteFrom('mail_opt_outs').where('person_id', '=', userId).where('kind', '=', kind).execute();
    return;
  }
  await db(unit)
    .insertInto('mail_opt_outs')
    .values({ person_id: userId, kind, created_at: now })
    .onConflict((conflict) => conflict.columns(['person_id', 'kind']).doNothing())
    .execute();
}

/** Signs the links that turn a notification off without a sign-in (RFC 8058). */
export interface UnsubscribeTokens {
  create(userId: number, kind: OptionalMailKind): string;
  /** Null for a token that this service did not create. */
  verify(token: string): { userId: number; kind: OptionalMailKind } | null;
}

export function createUnsubscribeTokens(serviceKey: Uint8Array): UnsubscribeTokens {
  const sign = (userId: number, kind: string) =>
    createHmac('sha256', serviceKey).update(`unsubscribe ${userId} ${kind}`).digest('base64url');
  return {
    create: (userId, kind) => `${userId}.${kind}.${sign(userId, kind)}`,
    verify(token) {
      const [, id = '', name, signature = ''] = /^([1-9]\d{0,15})\.([a-z_]+)\.([\w-]{43})$/.exec(token) ?? [];
      const kind = optionalMailKinds.find((each) => each === name);
      if (kind === undefined) return null;
      const userId = Number(id);
      return timingSafeEqual(Buffer.from(sign(userId, kind)), Buffer.from(signature)) ? { userId, kind } : null;
    },
  };
}
