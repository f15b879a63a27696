/**
 * Waits until all of it has ended, and fails with the first failure: what was left under way would fail
 * whatever comes next, and hide it.
 */
export async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
