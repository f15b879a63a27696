import { createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { ProofChallenge } from '../../api/challenge.ts';
import { PROOF_BITS, type Quota } from '../../shared/limits.ts';
import { type Instant, MINUTE } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import type { Database } from '../../database/database.ts';
import { createSharedLimiter } from '../../http/rate-limiter.ts';
import type { Metrics } from '../../system/metrics.ts';
import type { Random } from '../../system/random.ts';

/** Who may solve a challenge, and for what: one payment, from one address. */
export interface ChallengeSubject {
  transactionId: number;
  address: string;
}

export interface Challenges {
  /** Work in place of waiting; null when so much was proven from this address that only waiting helps. */
  issue(subject: ChallengeSubject): Promise<ProofChallenge | null>;
  /** Whether the proof, `TOKEN:NUMBER`, is for this and good for one more card. */
  accept(subject: ChallengeSubject, proof: string): Promise<boolean>;
}

const LIFETIME: Instant = 5 * MINUTE;
/** How many times the limit of an address may be reached with proofs, the unproven ones counted in. */
const HARD_CAP = 5;

/**
 * One try takes a phone 3 to 5 ms, so that half of `most` is found in one to one and a half seconds; up
 * to four times that as more is tried from the address. To us a challenge costs one try, and so does a proof.
 */
const ITERATIONS = 5000;
const MOST = 600;
const STEPS = 4;

const derive = promisify(pbkdf2);

/** Challenges are signed and not stored; what is stored is that one was used, and how many of an address were. */
export function createChallenges(options: {
  database: Database;
  clock: Clock;
  random: Random;
  metrics: Metrics;
  key: Uint8Array;
  /** What may be tried from an address without proofs; without a limit there is nothing to prove. */
  quota: Quota;
  iterations?: number;
}): Challenges {
  const { database, clock, random, metrics, key, quota, iterations = ITERATIONS } = options;
  const proven = createSharedLimiter({ ...quota, amount: (HARD_CAP - 1) * quota.amount }, clock, database);
  // Whatever comes again within a challenge's life finds that its place is taken.
  const used = createSharedLimiter({ amount: 1, window: LIFETIME }, clock, database);

  const nameOf = (kind: string, what: string) =>
    createHmac('sha256', key).update(`challenge ${kind} ${what}`).digest('base64url');
  const sign = ({ transactionId, address }: ChallengeSubject, payload: string) =>
    nameOf('token', `${payload} ${transactionId} ${address}`);
  const digestOf = async (seed: string, number: number) =>
    (await derive(seed, String(number), iterations, PROOF_BITS / 8, 'sha256')).toString('base64url');
  const count = (result: ChallengeResult) => metrics.proofChallenges.inc({ result });

  const judge = async (subject: ChallengeSubject, proof: string): Promise<ChallengeResult> => {
    const [, payload, seed, expiresAt, digest, signature, number] =
      /^(([\w-]{22})\.([\da-z]{1,12})\.([\w-]{22}))\.([\w-]{43}):(\d{1,6})$/.exec(proof) ?? [];
    if (!payload || !seed || !expiresAt || !digest || !signature || !number) return 'wrong';
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(subject, payload)))) return 'wrong';
    if (Number.parseInt(expiresAt, 36) <= clock.now()) return 'expired';
    if ((await digestOf(seed, Number(number))) !== digest) return 'wrong';
    if (!(await used.consume(nameOf('used', seed))).isAllowed) return 'used';
    return (await proven.consume(nameOf('proven', subject.address))).isAllowed ? 'solved' : 'capped';
  };

  return {
    async issue(subject) {
      const { isAllowed, remaining } = await proven.peek(nameOf('proven', subject.address));
      if (!isAllowed) {
        count('capped');
        return null;
      }
      const step = 1 + Math.floor((STEPS * (proven.quota.amount - 1 - remaining)) / proven.quota.amount);
      const most = MOST * step;
      const seed = Buffer.from(random.bytes(16)).toString('base64url');
      const number = Buffer.from(random.bytes(4)).readUInt32BE() % most;
      const digest = await digestOf(seed, number);
      const payload = `${seed}.${(clock.now() + LIFETIME).toString(36)}.${digest}`;
      count('issued');
      return { seed, iterations, most, digest, token: `${payload}.${sign(subject, payload)}` };
    },
    async accept(subject, proof) {
      const result = await judge(subject, proof);
      count(result);
      return result === 'solved';
    },
  };
}

/** What becomes of challenges, as it is counted. */
type ChallengeResult = 'issued' | 'solved' | 'wrong' | 'expired' | 'used' | 'capped';
