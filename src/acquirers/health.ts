import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';

/** Consecutive failures that open the circuit. */
const FAILURES_TO_OPEN = 5;
/** An open circuit allows one trial call after this time. */
const OPEN_DURATION: Instant = 30 * SECOND;
/** Number of recent calls from which an account's figures are computed. */
const SAMPLE_SIZE = 500;

type CircuitState = 'closed' | 'open' | 'half_open';

/** Figures of an account since this process started, over its most recent calls. */
export interface AccountHealth {
  circuit: CircuitState;
  /** Calls in the sample; 0 before the first. */
  calls: number;
  /** Share of calls with a response, 0 to 1; null before the first. */
  successRate: number | null;
  /** Median duration in milliseconds; null before the first. */
  medianMs: number | null;
  /** The last call without a response; null before the first. */
  lastFailure: CallFailure | null;
  /** Time when the circuit opened; null while it is closed. */
  circuitSince: Instant | null;
  callsLastMinute: number;
  /** The acquirer's limit; null without one. */
  callsPerMinute: number | null;
}

/** A call without a response. */
interface CallFailure {
  at: Instant;
  call: string;
  reason: 'failed' | 'timeout';
}

/** Circuit breaker and rate limit of one account, in this process. */
export interface AccountGuard {
  /** Null if a call may start now; otherwise the reason to reject it. Counts the call against the rate limit. */
  admit(): 'circuit_open' | 'rate_limited' | null;
  record(call: { hasResponse: boolean; durationMs: number; call?: string; reason?: CallFailure['reason'] }): void;
  /** Ends an admitted call that sent nothing, and no longer counts it. */
  release(): void;
  /** True while the circuit admits no call: it is open, or its trial call is running. */
  isRejecting(): boolean;
  health(): AccountHealth;
  /** True if a call was recorded since this was last called. */
  consumeChange(): boolean;
}

/** `callsPerMinute` is the acquirer's limit; null without one. */
export function createAccountGuard(clock: Clock, callsPerMinute: number | null): AccountGuard {
  let failures = 0;
  let openedAt: Instant | null = null;
  let isTrialRunning = false;
  let hasChanged = false;
  let tokens = callsPerMinute ?? 0;
  let filledAt = clock.now();
  let circuitSince: Instant | null = null;
  let lastFailure: CallFailure | null = null;
  const sample: { hasResponse: boolean; durationMs: number; at: Instant }[] = [];

  const circuit = (): CircuitState => {
    if (openedAt === null) return 'closed';
    return clock.now() - openedAt >= OPEN_DURATION ? 'half_open' : 'open';
  };
  const takeToken = (): boolean => {
    if (callsPerMinute === null) return true;
    const now = clock.now();
    tokens = Math.min(callsPerMinute, tokens + ((now - filledAt) * callsPerMinute) / MINUTE);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };

  const isRejecting = (): boolean => circuit() === 'open' || (circuit() === 'half_open' && isTrialRunning);

  return {
    isRejecting,

    admit() {
      if (isRejecting()) return 'circuit_open';
      if (!takeToken()) return 'rate_limited';
      if (circuit() === 'half_open') isTrialRunning = true;
      return null;
    },

    record({ hasResponse, durationMs, call = '', reason = 'failed' }) {
      const at = clock.now();
      isTrialRunning = false;
      hasChanged = true;
      sample.push({ hasResponse, durationMs, at });
      if (sample.length > SAMPLE_SIZE) sample.shift();
      if (hasResponse) {
        failures = 0;
        openedAt = null;
        circuitSince = null;
        return;
      }
      failures += 1;
      lastFailure = { at, call, reason };
      if (failures < FAILURES_TO_OPEN) return;
      openedAt = at;
      circuitSince ??= at;
    },

    release() {
      isTrialRunning = false;
      tokens += 1;
    },

    health() {
      const durations = sample.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
      const responseCount = sample.filter(({ hasResponse }) => hasResponse).length;
      return {
        circuit: circuit(),
        calls: sample.length,
        successRate: sample.length === 0 ? null : responseCount / sample.length,
        medianMs: durations[Math.floor(durations.length / 2)] ?? null,
        ...{ lastFailure, circuitSince, callsPerMinute },
        callsLastMinute: sample.filter(({ at }) => at > clock.now() - MINUTE).length,
      };
    },

    consumeChange() {
      const changed = hasChanged;
      hasChanged = false;
      return changed;
    },
  };
}
