import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createBatcher } from '../database/batch.ts';
import { OperatorError } from '../system/operator-error.ts';

/**
 * Address marks: the highest issued address index of each account, stored outside the database. If the database loses
 * its last writes, the mark is ahead of it. Processes may share the folder.
 */
export interface AddressMarks {
  /** Highest recorded index of an account; null if there is none. */
  readHighest(account: string): Promise<number | null>;
  /** Records an index before its address is issued. The mark is on disk when the promise resolves. */
  record(account: string, index: number): Promise<void>;
}

/** A mark is the name of an empty file, `ACCOUNT-INDEX`. The highest counts, so processes never overwrite each other's. */
export async function openAddressMarks(folder: string): Promise<AddressMarks> {
  const listIndexes = async (account: string): Promise<number[]> => {
    const prefix = `${account.replaceAll(' ', '-')}-`;
    return (await readdir(folder))
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)));
  };
  const markPath = (account: string, index: number) => join(folder, `${account.replaceAll(' ', '-')}-${index}`);

  const recordAll = createBatcher<{ account: string; index: number }, void>(async (marks) => {
    const highest = new Map<string, number>();
    for (const { account, index } of marks) highest.set(account, Math.max(index, highest.get(account) ?? 0));
    for (const [account, index] of highest) {
      const file = await open(markPath(account, index), 'a', 0o600);
      await file.close();
    }
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    for (const [account, index] of highest) {
      for (const lower of await listIndexes(account))
        if (lower < index) await rm(markPath(account, lower), { force: true });
    }
    return marks.map(() => undefined);
  });

  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await readdir(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The ADDRESS_MARKS folder is not usable: ${reason}`, { cause: error });
  }
  return {
    async readHighest(account) {
      const indexes = await listIndexes(account);
      return indexes.length === 0 ? null : Math.max(...indexes);
    },
    record: async (account, index) => await recordAll({ account, index }),
  };
}
