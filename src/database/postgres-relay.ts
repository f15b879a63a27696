import type { NoTables } from './engine.ts';
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { AnnouncementHub } from './announcements.ts';
import type { Relay } from './database.ts';
import { statement } from './statement.ts';

const CHANNEL = 'paylatch';
const LISTENER = 'paylatch listener';
/** What a process says to itself, over another connection. */
const ECHO = 'echo';
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** A connection can die without a word: it is asked now and then whether it lives. */
const ASK_EVERY_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Carries announcements between processes by NOTIFY, inside the unit, so that a rolled-back one tells
 * nothing and a crash after the commit loses nothing. One connection listens for the whole process;
 * whenever it is new, everything counts as announced, since nobody knows what was said meanwhile.
 */
export function createPostgresRelay(options: {
  url: string;
  query: Kysely<NoTables>;
  hub: AnnouncementHub;
  onError: (error: Error) => void;
  /** How long what is announced may be on its way. */
  echoWithinMs?: number;
}): Relay {
  const { url, query, hub, onError, echoWithinMs = ANSWER_WITHIN_MS } = options;
  const sender = randomUUID();
  let listening: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;

  const say = async (by: Kysely<NoTables>, topic: string) =>
    await sql`select pg_notify(${CHANNEL}, ${`${sender} ${topic}`})`.execute(by);

  const connect = async () => {
    let onEcho = () => {};
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // For whoever looks at the connections of a database.
      application_name: LISTENER,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
    });
    client.on('notification', ({ payload = '' }) => {
      const [, from, topic = ''] = /^(\S*) (.*)$/s.exec(payload) ?? [];
      // What this process announced it has heard already.
      if (from !== sender) hub.deliver(topic);
      else if (topic === ECHO) onEcho();
    });
    const lose = (error: Error) => {
      if (listening !== client) return;
      listening = null;
      onError(error);
      reconnectAfter(0);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('The connection that listens has ended')));
    try {
      await client.connect();
      const echo = new Promise<void>((resolve) => {
        onEcho = resolve;
      });
      await client.query(`listen ${CHANNEL}`);
      // A pooler may take the command and never bring what it is for.
      await say(query, ECHO);
      await within(
        echoWithinMs,
        echo,
        'What is announced does not arrive: is a pooler between this process and its database?',
      );
    } catch (error) {
      void end(client);
      hub.areComplete = false;
      if (isClosed) return;
      onError(error as Error);
      reconnectAfter(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      return;
    }
    if (isClosed) {
      await end(client);
      return;
    }
    listening = client;
    pauseMs = FIRST_PAUSE_MS;
    hub.areComplete = true;
    hub.deliverAll();
    askAgain(client, lose);
  };

  const reconnectAfter = (waitMs: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void connect(), waitMs);
  };

  const askAgain = (client: pg.Client, lose: (error: Error) => void) => {
    timer = setTimeout(() => void ask(client, lose), ASK_EVERY_MS);
  };

  const ask = async (client: pg.Client, lose: (error: Error) => void) => {
    try {
      await client.query('select 1');
      if (listening === client) askAgain(client, lose);
    } catch (error) {
      lose(error as Error);
      await end(client);
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
      if (client) await end(client);
    },
  };
}

const notify = statement(
  (_query, { payloads }: { payloads: string }) =>
    sql`select pg_notify(${sql.lit(CHANNEL)}, payload) from json_array_elements_text(${payloads}::json) as payload`,
);

/** Ends a connection that may be broken already. */
async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}

async function within(ms: number, promise: Promise<void>, otherwise: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), ms);
  });
  await Promise.race([promise, tooLate]);
  clearTimeout(timer);
}
