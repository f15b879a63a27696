/**
 * Waits until all promises settle, and rejects with the first error: promises still running would disturb the next
 * test and hide it.
 */
export async function allOf(works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
