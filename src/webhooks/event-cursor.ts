import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { validationProblem } from '../api/problem-error.ts';

/** Cursors of a merchant's event log; text that was never one is refused. */
export interface EventCursors {
  write(merchantId: number, position: number): string;
  read(merchantId: number, cursor: string): Promise<number>;
}

/**
 * A cursor is the position in base 36 with a checksum under the service key. It stays valid when its event
 * expires, and when a restored backup does not have it. Without the checksum (cursors of earlier releases,
 * another service key) the event itself has to be there.
 */
export function createEventCursors(on: Database, key: Uint8Array): EventCursors {
  const write = (merchantId: number, position: number): string => {
    const checksum = createHmac('sha256', key).update(`event cursor ${merchantId} ${position}`).digest('base64url');
    return `${position.toString(36)}.${checksum.slice(0, 12)}`;
  };
  const exists = async (merchantId: number, position: number): Promise<boolean> => {
    const event = await db(on)
      .selectFrom('events')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('position', '=', position)
      .executeTakeFirst();
    return event !== undefined;
  };
  return {
    write,
    async read(merchantId, cursor) {
      const digits = /^([1-9a-z][\da-z]{0,10})(?:\.[\w-]{12})?$/.exec(cursor)?.[1] ?? '';
      const position = Number.parseInt(digits, 36);
      if (Number.isSafeInteger(position)) {
        if (write(merchantId, position) === cursor || (await exists(merchantId, position))) return position;
      }
      const detail = 'must be the `next` of an earlier response; to start over, leave `after` out';
      throw validationProblem([{ pointer: '?after', code: 'invalid_cursor', detail }]);
    },
  };
}
