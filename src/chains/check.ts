import type { Database } from '../database/database.ts';
import { HOUR, type Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';
import type { ChainAccount } from './family.ts';
import { type Cursor, readCursors } from './cursor.ts';
import { ChainError } from './port.ts';

/**
 * A scan whose position has not moved for this long is reported as stalled. Longer than any usual gap between Bitcoin
 * blocks.
 */
const STALLED_AFTER: Instant = 2 * HOUR;

/** Checks that the node of every configured chain responds, and that the service has scanned its blocks. */
export function checkChains(options: {
  database: Database;
  clock: Clock;
  connect: () => Promise<readonly ChainAccount[]>;
}): Check {
  const { database, clock } = options;
  return {
    name: 'chains',
    run: async () => {
      const accounts = await options.connect();
      if (accounts.length === 0) return ok('No chain has a node.');
      const cursors = await readCursors(database);
      return combine(
        await Promise.all(
          accounts.map(async (account) => {
            const cursor = cursors.find(({ chain }) => chain === account.name);
            try {
              return await chainFinding(account, cursor, clock.now());
            } finally {
              await account.chain.close();
            }
          }),
        ),
      );
    },
  };
}

const NODE_STATUS = 'See “Node status” in docs/chains.md.';

async function chainFinding(
  { name, chain, network }: ChainAccount,
  cursor: Cursor | undefined,
  now: Instant,
): Promise<Finding> {
  let height: number;
  try {
    ({ height } = await chain.tip());
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return problem(`${network}: ${error.message}`, `Check CHAIN_… settings and the node of ${name}. ${NODE_STATUS}`);
  }
  if (cursor?.error) return problem(`${network} cannot be scanned: ${cursor.error.message}`, NODE_STATUS);
  const scanned = cursor?.lastBlock?.height ?? null;
  if (scanned === null) return warning(`${network} has not been scanned yet.`, 'Start the service.');
  const behind = Math.max(0, height - scanned);
  if (behind > 0 && cursor && now - cursor.updatedAt > STALLED_AFTER)
    return problem(
      `${network}: blocks not scanned yet: ${behind}.`,
      'Check that the service is running, and read its log.',
    );
  return ok(`${network} is at block ${height}, ${behind === 0 ? 'all' : `all but ${behind}`} scanned.`);
}
