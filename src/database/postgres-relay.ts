import type { NoTables } from './engine.ts';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { AnnouncementHub } from './announcements.ts';
import type { Relay } from './database.ts';
import { pipelinedStatement } from './statement.ts';

const CHANNEL = 'paylatch';
const LISTENER = 'paylatch listener';
/** Sent to itself over another connection, to test that notifications arrive. */
const ECHO = 'echo';
const INITIAL_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 15_000;
/** A connection can break without an error, so it is checked regularly. */
const CHECK_INTERVAL_MS = 30_000;
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Carries announcements between processes with NOTIFY, sent within the transaction: a rollback sends nothing, and a
 * crash after the commit loses nothing. One connection listens for the whole process. After each connect all listeners
 * are notified, because announcements may have been missed.
 */
export function createPostgresRelay(options: {
  url: string;
  query: Kysely<NoTables>;
  hub: AnnouncementHub;
  onError: (error: Error) => void;
  /** Maximum delay of a notification. */
  echoTimeoutMs?: number;
}): Relay {
  const { url, query, hub, onError, echoTimeoutMs = RESPONSE_TIMEOUT_MS } = options;
  const sender = randomUUID();
  let listening: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let backoffMs = INITIAL_BACKOFF_MS;
  let isClosed = false;

  const notifyTopic = async (connection: Kysely<NoTables>, topic: string) =>
    await sql`select pg_notify(${CHANNEL}, ${`${sender} ${topic}`})`.execute(connection);

  const connect = async () => {
    let onEcho = () => {};
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // Visible in pg_stat_activity.
      application_name: LISTENER,
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
    });
    client.on('notification', ({ payload = '' }) => {
      const [, from, topic = ''] = /^(\S*) (.*)$/s.exec(payload) ?? [];
      // This process's own announcements were dispatched locally.
      if (from !== sender) hub.dispatch(topic);
      else if (topic === ECHO) onEcho();
    });
    const handleLoss = (error: Error) => {
      if (listening !== client) return;
      listening = null;
      onError(error);
      reconnectAfter(0);
    };
    client.on('error', handleLoss);
    client.on('end', () => handleLoss(new Error('The LISTEN connection was closed')));
    try {
      await client.connect();
      const echo = new Promise<void>((resolve) => {
        onEcho = resolve;
      });
      await client.query(`listen ${CHANNEL}`);
      // A pooler may accept LISTEN and never forward notifications.
      await notifyTopic(query, ECHO);
      await withTimeout(
        echoTimeoutMs,
        echo,
        'NOTIFY messages do not arrive. Connect without a transaction pooler between this process and PostgreSQL.',
      );
    } catch (error) {
      void closeQuietly(client);
      hub.isConnected = false;
      if (isClosed) return;
      onError(error as Error);
      reconnectAfter(backoffMs);
      backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
      return;
    }
    if (isClosed) {
      await closeQuietly(client);
      return;
    }
    listening = client;
    backoffMs = INITIAL_BACKOFF_MS;
    hub.isConnected = true;
    hub.dispatchAll();
    scheduleCheck(client, handleLoss);
  };

  const reconnectAfter = (waitMs: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void connect(), waitMs);
  };

  const scheduleCheck = (client: pg.Client, handleLoss: (error: Error) => void) => {
    timer = setTimeout(() => void checkConnection(client, handleLoss), CHECK_INTERVAL_MS);
  };

  const checkConnection = async (client: pg.Client, handleLoss: (error: Error) => void) => {
    try {
      await client.query('select 1');
      if (listening === client) scheduleCheck(client, handleLoss);
    } catch (error) {
      handleLoss(error as Error);
      await closeQuietly(client);
    }
  };

  return {
    listen: connect,
    async send(transaction, topics) {
      const payloads = [...topics].map((topic) => `${sender} ${topic}`);
      if (payloads.length > 0) await notify({ query: transaction }, { payloads: JSON.stringify(payloads) });
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const client = listening;
      listening = null;
      if (client) await closeQuietly(client);
    },
  };
}

const notify = pipelinedStatement(
  (_query, { payloads }: { payloads: string }) =>
    sql`select pg_notify(${sql.lit(CHANNEL)}, payload) from json_array_elements_text(${payloads}::json) as payload`,
);

/** Closes a connection that may already be broken. */
async function closeQuietly(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}

async function withTimeout(ms: number, promise: Promise<void>, timeoutMessage: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(timeoutMessage)), ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
