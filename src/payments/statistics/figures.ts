import { minorUnitsOf } from '../../api/currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { ConvertedSum } from '../../shared/rate-arithmetic.ts';
import type { FailureCount, GroupSums } from './read.ts';

/** Counts of a group of transactions, and the paid amount in their additional currency. */
export class Counts {
  count = 0;
  paidCount = 0;
  failedCount = 0;
  readonly paidTotal = new ConvertedSum();
}

/** Amounts in minor units. */
export class CurrencyTotals {
  count = 0;
  paidCount = 0;
  paidMinor = 0n;
  refundedMinor = 0n;
}

/** Counts by additional currency, then by name. */
export type CountsByName = Map<string, Map<string, Counts>>;

type StoredCounts = Record<string, Record<string, [count: number, paid: number, failed: number, paidTotal: string]>>;
interface StoredFigures {
  quarters: StoredCounts;
  methods: StoredCounts;
  places: StoredCounts;
  currencies: Record<string, [count: number, paid: number, paidMinor: string, refundedMinor: string]>;
  failures: Record<string, number>;
}

/** The sums that all statistics are computed from. Figures of separate periods add up exactly. */
export class Figures {
  /** By the number of the quarter-hour since 1970. */
  readonly quarters: CountsByName = new Map();
  readonly methods: CountsByName = new Map();
  /** By the buyer's country (alpha-2), or the transaction's (alpha-3) if unknown. */
  readonly places: CountsByName = new Map();
  readonly currencies = new Map<string, CurrencyTotals>();
  /** By decline code, or by reason without one. */
  readonly failures = new Map<string, number>();

  addSums(row: GroupSums): void {
    const paidMinor = toMinor(row.paid_minor_millions, row.paid_minor_remainder);
    const paidTotal = new ConvertedSum();
    if (paidMinor !== 0n) paidTotal.add(formatMinor(paidMinor, minorUnitsOf(row.currency)), row.rate);
    const stored = [row.count, row.paid, row.failed, paidTotal.toString()] as const;
    addCounts(this.quarters, row.additional_currency, String(row.quarter), stored);
    addCounts(this.methods, row.additional_currency, row.payment_method, stored);
    addCounts(this.places, row.additional_currency, row.place, stored);
    this.#addCurrency(row.currency, [
      ...([row.count, row.paid] as const),
      ...([paidMinor, toMinor(row.refunded_minor_millions, row.refunded_minor_remainder)] as const),
    ]);
  }

  addFailures({ reason, decline_code: code, count }: FailureCount): void {
    this.#addFailure(code ?? reason, count);
  }

  /** Adds figures serialized by `toString`. */
  addStored(text: string): void {
    const stored = JSON.parse(text) as StoredFigures;
    for (const kind of ['quarters', 'methods', 'places'] as const)
      for (const [additional, byName] of Object.entries(stored[kind]))
        for (const [name, counts] of Object.entries(byName)) addCounts(this[kind], additional, name, counts);
    for (const [currency, [count, paid, paidMinor, refundedMinor]] of Object.entries(stored.currencies))
      this.#addCurrency(currency, [count, paid, BigInt(paidMinor), BigInt(refundedMinor)]);
    for (const [name, count] of Object.entries(stored.failures)) this.#addFailure(name, count);
  }

  toString(): string {
    const stored: StoredFigures = {
      quarters: toStored(this.quarters),
      methods: toStored(this.methods),
      places: toStored(this.places),
      currencies: mapValues(this.currencies, ({ count, paidCount, paidMinor, refundedMinor }) => [
        ...([count, paidCount] as const),
        ...([String(paidMinor), String(refundedMinor)] as const),
      ]),
      failures: Object.fromEntries(this.failures),
    };
    return JSON.stringify(stored);
  }

  #addCurrency(currency: string, [count, paid, paidMinor, refundedMinor]: readonly [number, number, bigint, bigint]) {
    const totals = getOrAdd(this.currencies, currency, () => new CurrencyTotals());
    totals.count += count;
    totals.paidCount += paid;
    totals.paidMinor += paidMinor;
    totals.refundedMinor += refundedMinor;
  }

  #addFailure(name: string, count: number) {
    this.failures.set(name, (this.failures.get(name) ?? 0) + count);
  }
}

function addCounts(
  groups: CountsByName,
  additional: string,
  name: string,
  [count, paid, failed, paidTotal]: readonly [number, number, number, string],
): void {
  const byName = getOrAdd(groups, additional, () => new Map<string, Counts>());
  const counts = getOrAdd(byName, name, () => new Counts());
  counts.count += count;
  counts.paidCount += paid;
  counts.failedCount += failed;
  if (paid > 0) counts.paidTotal.addSum(paidTotal);
}

function toStored(groups: CountsByName): StoredCounts {
  return mapValues(groups, (byName) =>
    mapValues(byName, ({ count, paidCount, failedCount, paidTotal }) => [
      ...([count, paidCount] as const),
      ...([failedCount, paidTotal.toString()] as const),
    ]),
  );
}

function mapValues<Value, Result>(map: ReadonlyMap<string, Value>, convert: (value: Value) => Result) {
  return Object.fromEntries([...map].map(([name, value]) => [name, convert(value)]));
}

export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const added = create();
  map.set(key, added);
  return added;
}

function toMinor(millions: number, remainder: number): bigint {
  return BigInt(millions) * 1_000_000n + BigInt(remainder);
}
