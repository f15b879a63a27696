export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`Nothing stands at ${index}`);
  return item;
}

/** The value below which `share` of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return at(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share)));
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
