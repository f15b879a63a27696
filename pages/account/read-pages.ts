import type { AccountApi, QueryValues } from './api.ts';

interface Paged {
  next_cursor: string | null;
}

/** As many pages of a list as were asked for, one after the other, as they are now. */
export async function readPages<Name extends string, Answer extends Paged & Record<Name, readonly unknown[]>>(
  api: AccountApi,
  path: string,
  { name, query = {}, pages, signal }: { name: Name; query?: QueryValues; pages: number; signal: AbortSignal },
): Promise<Answer> {
  let answer = await api.get<Answer>(path, query, { signal });
  for (let page = 1; page < pages && answer.next_cursor !== null; page++) {
    const next = await api.get<Answer>(path, { ...query, cursor: answer.next_cursor }, { signal });
    answer = { ...next, [name]: [...answer[name], ...next[name]] };
  }
  return answer;
}
