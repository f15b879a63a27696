import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import fc from 'fast-check';

/** Plays sequences of random seeds for so long, instead of a number of them. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 0);
/** Sequences of one seed where time is the limit. */
const OF_ONE_SEED = 20;

/** Counts the steps that a model has played, by their kind. */
export class Tally {
  sequences = 0;
  #idle = 0;
  readonly #played = new Map<string, number>();

  /** A step that found nothing to do is no step that was played. */
  count(kind: string, isPlayed = true): void {
    if (isPlayed) this.#played.set(kind, (this.#played.get(kind) ?? 0) + 1);
    else this.#idle += 1;
  }

  toString(): string {
    const kinds = [...this.#played].toSorted(([, one], [, other]) => other - one);
    const steps = kinds.reduce((sum, [, times]) => sum + times, 0);
    const byKind = kinds.map(([kind, times]) => `${times} ${kind}`).join(', ');
    return `${this.sequences} sequences, ${steps} steps: ${byKind}; ${this.#idle} found nothing to do`;
  }
}

/**
 * Plays random sequences: `runs` of them, MODEL_RUNS where that is set, or as many as MODEL_SECONDS are enough for. The
 * run prints how often each kind of step was played.
 */
export async function playSequences<Sequence>(
  context: TestContext,
  sequences: fc.Arbitrary<Sequence>,
  runs: number,
  play: (sequence: Sequence, tally: Tally) => Promise<void>,
): Promise<void> {
  const tally = new Tally();
  const property = fc.asyncProperty(sequences, async (sequence) => {
    tally.sequences += 1;
    await play(sequence, tally);
  });
  const { MODEL_RUNS: wanted, SEED: given, REPLAY: path, SHRINK: shrinks } = process.env;
  const first = given ? Number(given) : randomInt(2 ** 31);
  const end = performance.now() + SECONDS * 1000;
  for (let batch = 0; batch === 0 || performance.now() < end; batch += 1)
    await fc.assert(property, {
      numRuns: SECONDS > 0 ? OF_ONE_SEED : Number(wanted ?? runs),
      includeErrorInReport: true,
      // Smaller examples take their time: SHRINK=1 looks for them.
      endOnFailure: !shrinks,
      ...((given !== undefined || SECONDS > 0) && { seed: first + batch }),
      ...(path && { path }),
    });
  context.diagnostic(String(tally));
}
