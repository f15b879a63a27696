/** Waits for all promises, then throws the first failure. Promises left running would fail later tests and hide the cause. */
export async function allOf(promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
