import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Does together what is asked for in one turn of the event loop. While one group is being done whoever
 * comes gathers for the next, so that groups grow with the load.
 *
 * `doAll` does all of a group or nothing, and answers in the order of what it got. When it fails each of
 * the group is done alone, and told of its own end.
 */
export function gathered<Asked, Answer>(
  doAll: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
  { most = 64 }: { most?: number } = {},
): (asked: Asked) => Promise<Answer> {
  interface Waiting {
    asked: Asked;
    succeed: (answer: Answer) => void;
    fail: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isRunning = false;

  const doAlone = async ({ asked, succeed, fail }: Waiting) => {
    try {
      const [answer] = await doAll([asked]);
      succeed(answer as Answer);
    } catch (error) {
      fail(error);
    }
  };
  const doGroup = async (group: readonly Waiting[]) => {
    const [first] = group;
    if (first && group.length === 1) {
      await doAlone(first);
      return;
    }
    try {
      const answers = await doAll(group.map(({ asked }) => asked));
      for (const [index, { succeed }] of group.entries()) succeed(answers[index] as Answer);
    } catch {
      for (const each of group) await doAlone(each);
    }
  };
  const run = async () => {
    // Whoever is being read from the network in this turn comes along.
    await nextTurn();
    while (waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await doGroup(group);
    }
    isRunning = false;
  };

  return async (asked) =>
    await new Promise((succeed, fail) => {
      waiting.push({ asked, succeed, fail });
      if (isRunning) return;
      isRunning = true;
      void run();
    });
}

/**
 * Reads once for all who ask for the same in one turn of the event loop, or while it is read for others
 * before them. Nobody is told what began to be read before they asked.
 */
export function readTogether<Answer>(read: (name: string) => Promise<Answer>): (name: string) => Promise<Answer> {
  /** By name: what waits to be read. */
  const gathering = new Map<string, Promise<Answer>>();
  /** By name: what is being read. */
  const reading = new Map<string, Promise<unknown>>();

  const gather = async (name: string): Promise<Answer> => {
    await nextTurn();
    await reading.get(name)?.catch(() => undefined);
    gathering.delete(name);
    const now = read(name);
    reading.set(name, now);
    try {
      return await now;
    } finally {
      reading.delete(name);
    }
  };

  return async (name) => {
    let gathered = gathering.get(name);
    if (!gathered) {
      gathered = gather(name);
      gathering.set(name, gathered);
    }
    return await gathered;
  };
}
