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

/** A challenge is bound to one payment and one IP address. */
interface ProofSubject {
  transactionId: number;
  address: string;
}

export interface ProofOfWork {
  /** Issues a proof-of-work challenge; null when the address has also used up its quota of proofs. */
  issue(subject: ProofSubject): Promise<ProofChallenge | null>;
  /** Verifies and consumes a proof, `TOKEN:NUMBER`. A valid proof allows one more card submission. */
  verify(subject: ProofSubject, proof: string): Promise<boolean>;
}

const LIFETIME: Instant = 5 * MINUTE;
/** Proofs of work raise the limit of an address by up to this factor. */
const HARD_CAP = 5;

/**
 * A phone tests one number in 3 to 5 ms: on average 1 to 1.5 seconds per challenge. The range grows up to fourfold with
 * the use of the address. The server computes one hash per challenge and one per proof.
 */
const ITERATIONS = 5000;
const MAX_NUMBER = 600;
const DIFFICULTY_STEPS = 4;

const derive = promisify(pbkdf2);

/** Challenges are signed, not stored. Only used challenges and their number per address are stored. */
export function createProofOfWork(options: {
  database: Database;
  clock: Clock;
  random: Random;
  metrics: Metrics;
  key: Uint8Array;
  /** The quota of an address without proofs. Proofs exist only together with a limit. */
  quota: Quota;
  iterations?: number;
}): ProofOfWork {
  const { database, clock, random, metrics, key, quota, iterations = ITERATIONS } = options;
  const provenLimiter = createSharedLimiter({ ...quota, amount: (HARD_CAP - 1) * quota.amount }, clock, database);
  // A quota of one per challenge lifetime makes each challenge single-use.
  const usedLimiter = createSharedLimiter({ amount: 1, window: LIFETIME }, clock, database);

  const keyedHash = (kind: string, value: string) =>
    createHmac('sha256', key).update(`challenge ${kind} ${value}`).digest('base64url');
  const sign = ({ transactionId, address }: ProofSubject, payload: string) =>
    keyedHash('token', `${payload} ${transactionId} ${address}`);
  const digestOf = async (seed: string, number: number) =>
    (await derive(seed, String(number), iterations, PROOF_BITS / 8, 'sha256')).toString('base64url');
  const count = (result: ProofResult) => metrics.proofChallenges.inc({ result });

  const checkProof = async (subject: ProofSubject, proof: string): Promise<ProofResult> => {
    const [, payload, seed, expiresAt, digest, signature, number] =
      /^(([\w-]{22})\.([\da-z]{1,12})\.([\w-]{22}))\.([\w-]{43}):(\d{1,6})$/.exec(proof) ?? [];
    if (!payload || !seed || !expiresAt || !digest || !signature || !number) return 'invalid';
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(subject, payload)))) return 'invalid';
    if (Number.parseInt(expiresAt, 36) <= clock.now()) return 'expired';
    if ((await digestOf(seed, Number(number))) !== digest) return 'invalid';
    if (!(await usedLimiter.consume(keyedHash('used', seed))).isAllowed) return 'reused';
    return (await provenLimiter.consume(keyedHash('proven', subject.address))).isAllowed ? 'solved' : 'capped';
  };

  return {
    async issue(subject) {
      const { isAllowed, remaining } = await provenLimiter.peek(keyedHash('proven', subject.address));
      if (!isAllowed) {
        count('capped');
        return null;
      }
      const step =
        1 + Math.floor((DIFFICULTY_STEPS * (provenLimiter.quota.amount - 1 - remaining)) / provenLimiter.quota.amount);
      const maxNumber = MAX_NUMBER * step;
      const seed = Buffer.from(random.bytes(16)).toString('base64url');
      const number = Buffer.from(random.bytes(4)).readUInt32BE() % maxNumber;
      const digest = await digestOf(seed, number);
      const payload = `${seed}.${(clock.now() + LIFETIME).toString(36)}.${digest}`;
      count('issued');
      return { seed, iterations, most: maxNumber, digest, token: `${payload}.${sign(subject, payload)}` };
    },
    async verify(subject, proof) {
      const result = await checkProof(subject, proof);
      count(result);
      return result === 'solved';
    },
  };
}

/** Results of challenges and proofs, as counted by the metric. */
type ProofResult = 'issued' | 'solved' | 'invalid' | 'expired' | 'reused' | 'capped';
