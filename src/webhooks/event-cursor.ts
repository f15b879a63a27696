import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { validationProblem } from '../api/problem-error.ts';

/** Cursors of a merchant's event log. Decoding rejects text that was never a cursor. */
export interface EventCursors {
  encode(merchantId: number, position: number): string;
  decode(merchantId: number, cursor: string): Promise<number>;
}

/**
 * A cursor is the position in base 36 with a checksum under the service key. It stays valid after its event expires, and
 * when a restored backup lacks the event. Without a valid checksum (cursors of earlier releases, another service key)
 * the event itself must exist.
 */
export function createEventCursors(reader: Database, key: Uint8Array): EventCursors {
  const encode = (merchantId: number, position: number): string => {
    const checksum = createHmac('sha256', key).update(`event cursor ${merchantId} ${position}`).digest('base64url');
    return `${position.toString(36)}.${checksum.slice(0, 12)}`;
  };
  const exists = async (merchantId: number, position: number): Promise<boolean> => {
    const event = await db(reader)
      .selectFrom('events')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('position', '=', position)
      .executeTakeFirst();
    return event !== undefined;
  };
  return {
    encode,
    async decode(merchantId, cursor) {
      const digits = /^([1-9a-z][\da-z]{0,10})(?:\.[\w-]{12})?$/.exec(cursor)?.[1] ?? '';
      const position = Number.parseInt(digits, 36);
      if (Number.isSafeInteger(position)) {
        if (encode(merchantId, position) === cursor || (await exists(merchantId, position))) return position;
      }
      const detail = 'must be the `next` of an earlier response; omit `after` to start from the beginning';
      throw validationProblem([{ pointer: '?after', code: 'invalid_cursor', detail }]);
    },
  };
}
