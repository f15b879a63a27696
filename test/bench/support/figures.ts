import { appendFileSync } from 'node:fs';

export function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index];
  if (item === undefined) throw new RangeError(`No row at ${index}`);
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

/** A figure for the table of `npm run bench`. */
export interface Figure {
  measure: string;
  /** Absent if the figure applies to both databases. */
  engine?: 'sqlite' | 'postgres';
  value: number;
  unit: string;
  /** At most (`max`) or at least (`min`) this value. */
  target?: { max: number } | { min: number };
}

/** Adds a figure to the table, if `npm run bench` runs this program. */
export function report(figure: Figure): void {
  const file = process.env.BENCH_FIGURES;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}
