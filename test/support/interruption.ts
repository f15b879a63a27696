import type { Database } from '../../src/database/database.ts';
import type { Fixture } from './fixture.ts';

/** Simulates that the process ends right after the commit that makes `isDone` true, while it handles a request. */
export async function interruptAfter<Response>(
  fixture: Fixture,
  isDone: (database: Database) => Promise<boolean>,
  request: () => Promise<Response>,
): Promise<Response> {
  const { database } = fixture.service();
  const { inTransaction } = database;
  database.inTransaction = async (work) => {
    const result = await inTransaction(work);
    if (await isDone(database)) throw new Error('stopped');
    return result;
  };
  try {
    return await request();
  } finally {
    database.inTransaction = inTransaction;
  }
}
