import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { openDatabaseProxy } from '../support/database-proxy.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { fillDisk } from '../support/full-disk.ts';

/** A fault of the database. `cause` returns the function that removes it. */
interface DatabaseFault {
  kind: string;
  cause(): Promise<() => Promise<void>>;
  isUnready: boolean;
}

/** A database with faults that can be injected. */
export interface FaultyDatabase {
  /** URL for the program. */
  url: string;
  /** URL for the test: without faults, except a full disk. */
  directUrl: string;
  faults: readonly DatabaseFault[];
  /** Faults that this machine cannot inject, with the reason. */
  skipped: readonly string[];
  /** Breaks the program's connections. */
  disconnect(): void;
  drop(): Promise<void>;
}

const DISK_MB = 256;
const OUT_OF_SPACE = 'out of space';

export async function openFaultyDatabase(): Promise<FaultyDatabase> {
  return testEngine === 'postgres' ? await openFaultyPostgres() : await openFaultySqlite();
}

async function openFaultySqlite(): Promise<FaultyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-disk-'));
  const disk = mountDisk(folder);
  const url = `sqlite:${join(folder, 'paylatch.db')}`;
  return {
    ...{ url, directUrl: url, faults: diskFaults(disk, folder, true), skipped: skippedWithout(disk) },
    disconnect: () => undefined,
    drop() {
      disk?.unmount();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

async function openFaultyPostgres(): Promise<FaultyDatabase> {
  const store = await createTestDatabase();
  const name = pg.escapeIdentifier(new URL(store.url).pathname.slice(1));
  const dataFolder = (await administer<{ folder: string }>("select current_setting('data_directory') as folder"))
    .folder;
  // The server's user can reach this folder.
  const folder = mkdtempSync(join(dirname(dataFolder), 'paylatch-disk-'));
  const disk = mountDisk(folder);
  const tablespace = `disk_${process.pid}`;
  if (disk) {
    const { uid, gid } = statSync(dataFolder);
    const files = join(folder, 'files');
    mkdirSync(files);
    for (const path of [folder, files]) chownSync(path, uid, gid);
    await administer(`create tablespace ${tablespace} location '${files}'`);
    await administer(`alter database ${name} set tablespace ${tablespace}`);
  }
  const proxy = await openDatabaseProxy(store.url);
  const url = new URL(proxy.url);
  // A host name, so that it must be resolved.
  url.hostname = 'localhost';
  const disconnect = () => {
    proxy.isUp = false;
    proxy.isUp = true;
  };
  const faults: DatabaseFault[] = [
    {
      kind: 'unresponsive',
      isUnready: true,
      cause() {
        proxy.isStopped = true;
        return Promise.resolve(() => Promise.resolve(void (proxy.isStopped = false)));
      },
    },
    {
      kind: 'slow',
      isUnready: false,
      cause() {
        proxy.delayMs = 40;
        return Promise.resolve(() => Promise.resolve(void (proxy.delayMs = 0)));
      },
    },
    {
      kind: 'down',
      isUnready: true,
      cause() {
        proxy.isUp = false;
        return Promise.resolve(() => Promise.resolve(void (proxy.isUp = true)));
      },
    },
    {
      kind: 'read-only',
      isUnready: true,
      async cause() {
        await administer(`alter database ${name} set default_transaction_read_only = on`);
        disconnect();
        return async () => void (await administer(`alter database ${name} reset default_transaction_read_only`));
      },
    },
    ...diskFaults(disk, folder, false),
  ];
  return {
    ...{ url: url.href, directUrl: store.url, faults, skipped: skippedWithout(disk), disconnect },
    async drop() {
      await proxy.close();
      if (disk) {
        await administer(`drop database ${name} with (force)`);
        await administer(`drop tablespace ${tablespace}`);
        disk.unmount();
        rmdirSync(folder);
      } else await store.drop();
    },
  };
}

/** Reads still work on a full disk. PostgreSQL also accepts writes that need no new page. */
function diskFaults(disk: Disk | null, folder: string, isUnready: boolean): DatabaseFault[] {
  if (!disk) return [];
  const cause = () => {
    const filler = fillDisk(folder);
    return Promise.resolve(() => Promise.resolve(rmSync(filler)));
  };
  return [{ kind: OUT_OF_SPACE, isUnready, cause }];
}

function skippedWithout(disk: Disk | null): string[] {
  return disk ? [] : [`database ${OUT_OF_SPACE}: only root can mount a small file system`];
}

interface Disk {
  unmount(): void;
}

/** Mounts a small in-memory file system; null without root. */
function mountDisk(folder: string): Disk | null {
  if (process.getuid?.() !== 0) return null;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return { unmount: () => void execFileSync('umount', ['--lazy', folder]) };
}

/** Sends a statement to the server directly, outside the test database. */
async function administer<Row>(text: string): Promise<Row> {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL });
  await client.connect();
  try {
    return (await client.query(text)).rows[0] as Row;
  } finally {
    await client.end();
  }
}
