import type { ChainName } from '../shared/crypto-currency.ts';
import type { Database } from '../database/database.ts';
import { lastBlockTopic, readLastHeight } from './cursor.ts';

/** Heights of the last blocks scanned, for live updates. */
export interface LastHeights {
  /** 0 if no block has been scanned. */
  height(chain: ChainName): Promise<number>;
}

/**
 * Reads each height once per announcement, for any number of open pages. Cached heights are valid only while
 * announcements arrive (`isConnected`); after a reconnect they are read again.
 */
export function createLastHeights(
  database: Pick<Database, 'query' | 'announcements'>,
  chains: readonly ChainName[],
): LastHeights {
  const cache = new Map<ChainName, Promise<number>>();
  for (const chain of chains) database.announcements.subscribe(lastBlockTopic(chain), () => cache.delete(chain));

  const read = async (chain: ChainName): Promise<number> => (await readLastHeight(database, chain)) ?? 0;
  return {
    async height(chain) {
      const height = cache.get(chain) ?? read(chain);
      cache.set(chain, height);
      try {
        return await height;
      } catch (error) {
        if (cache.get(chain) === height) cache.delete(chain);
        throw error;
      }
    },
  };
}
