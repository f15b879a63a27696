/** Does something `count` times, `atOnce` at once; the results are in order. */
export async function inParallel<Result>(
  count: number,
  atOnce: number,
  act: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await act(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
