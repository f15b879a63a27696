import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { testEngine } from './databases.ts';
import { countForProof, isInterrupted } from './proof.ts';

const { SEED, REPLAY, SHRINK, MODEL_RUNS, MODEL_SECONDS } = process.env;
/** A longer run uses a new seed after this many sequences, so that one number identifies every sequence. */
const PER_SEED = 20;
/** Enough steps to include each kind that a model can generate. */
const SAMPLE = { numRuns: 3000, seed: 1 };

/** Counts the steps that a model has run, by kind. */
export class StepCounts {
  sequences = 0;
  steps = 0;
  #idle = 0;
  readonly #counts = new Map<string, number>();

  /** Steps without effect are not counted. */
  count(kind: string, hasEffect = true): void {
    if (!hasEffect) {
      this.#idle += 1;
      return;
    }
    this.steps += 1;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  has(kind: string): boolean {
    return this.#counts.has(kind);
  }

  toString(): string {
    const kinds = [...this.#counts].toSorted(([, one], [, other]) => other - one);
    const byKind = kinds.map(([kind, times]) => `${times} ${kind}`).join(', ');
    return `${this.sequences} sequences, ${this.steps} steps: ${byKind}; ${this.#idle} found nothing to do`;
  }
}

export interface Model<Sequence, Step> {
  sequences: fc.Arbitrary<Sequence>;
  /** The sequences of every test run: rare cases from `examples`, then `runs` of `seed`. */
  fixed: { seed: number; runs: number; examples?: Sequence[] };
  /** Steps and their kinds: the fixed sequences must include each kind. */
  steps: fc.Arbitrary<Step>;
  kindOf: (step: Step) => string;
  play: (sequence: Sequence, tally: StepCounts) => Promise<void>;
}

/**
 * Runs a model's fixed sequences, or others: SEED and MODEL_RUNS select them, MODEL_SECONDS runs as many as fit in the
 * time, REPLAY runs a single one. Their number does not change them: `SEED=7 MODEL_RUNS=30` runs the first 30 of
 * `SEED=7 MODEL_SECONDS=600`. Prints the count of each kind of step.
 */
export async function runSequences<Sequence, Step>(
  context: TestContext,
  { sequences, fixed, steps, kindOf, play }: Model<Sequence, Step>,
): Promise<void> {
  const tally = new StepCounts();
  const seconds = Number(MODEL_SECONDS ?? 0);
  const isFixed = SEED === undefined && MODEL_RUNS === undefined && seconds === 0;
  const first = isFixed ? fixed.seed : Number(SEED ?? randomInt(2 ** 31));
  const end = performance.now() + seconds * 1000;
  const isOver = () => isInterrupted() || (seconds > 0 && tally.sequences > 0 && performance.now() > end);
  const property = fc.asyncProperty(sequences, async (sequence) => {
    if (isOver()) return;
    tally.sequences += 1;
    const before = tally.steps;
    await play(sequence, tally);
    countForProof({ sequences: 1, steps: tally.steps - before });
  });
  const examples = isFixed ? (fixed.examples ?? []) : [];
  const runs = isFixed ? examples.length + fixed.runs : Number(MODEL_RUNS ?? fixed.runs);
  let left = REPLAY ? 1 : seconds > 0 ? Number.POSITIVE_INFINITY : runs;
  for (let seed = first; left > 0 && !isOver(); seed += 1) {
    await fc.assert(property, {
      seed,
      numRuns: Math.min(PER_SEED, left),
      examples: seed === first ? examples.map((example): [Sequence] => [example]) : [],
      includeErrorInReport: true,
      // Shrinking takes minutes.
      endOnFailure: !SHRINK,
      ...(REPLAY && { path: REPLAY }),
    });
    left -= PER_SEED;
  }
  context.diagnostic(String(tally));
  // PostgreSQL runs a few of them, for its locking.
  if (!isFixed || testEngine === 'postgres') return;
  const kinds = new Set(fc.sample(steps, SAMPLE).map(kindOf));
  const missing = [...kinds].filter((kind) => !tally.has(kind));
  assert.deepEqual(missing, [], 'kinds of steps that the fixed sequences never play: choose another seed or more runs');
}
