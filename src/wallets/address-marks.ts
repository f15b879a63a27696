import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createBatcher } from '../database/batch.ts';
import { OperatorError } from '../system/operator-error.ts';

/**
 * The highest address index issued below each account, kept outside the database: after a loss of its last writes the
 * mark is ahead of the database. Processes may share the folder.
 */
export interface AddressMarks {
  /** The highest index recorded for an account; null where there is none. */
  highest(account: string): Promise<number | null>;
  /** Records an index before its address is issued; on disk once it resolves. */
  record(account: string, index: number): Promise<void>;
}

/** A mark is the name of an empty file, `ACCOUNT-INDEX`; the highest counts, so that nobody overwrites another's. */
export async function openAddressMarks(folder: string): Promise<AddressMarks> {
  const list = async (account: string): Promise<number[]> => {
    const prefix = `${account.replaceAll(' ', '-')}-`;
    return (await readdir(folder))
      .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)));
  };
  const pathOf = (account: string, index: number) => join(folder, `${account.replaceAll(' ', '-')}-${index}`);

  const recordAll = createBatcher<{ account: string; index: number }, void>(async (asked) => {
    const highest = new Map<string, number>();
    for (const { account, index } of asked) highest.set(account, Math.max(index, highest.get(account) ?? 0));
    for (const [account, index] of highest) {
      const file = await open(pathOf(account, index), 'a', 0o600);
      await file.close();
    }
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    for (const [account, index] of highest) {
      for (const lower of await list(account)) if (lower < index) await rm(pathOf(account, lower), { force: true });
    }
    return asked.map(() => undefined);
  });

  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await readdir(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`The folder of ADDRESS_MARKS cannot be used: ${reason}`, { cause: error });
  }
  return {
    async highest(account) {
      const indexes = await list(account);
      return indexes.length === 0 ? null : Math.max(...indexes);
    },
    record: async (account, index) => await recordAll({ account, index }),
  };
}
