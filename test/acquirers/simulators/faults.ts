/** Faults of a call. The caller cannot see whether the vendor carried out the request. */
export const faults = {
  none: { isCarriedOut: true, delivery: 'response' },
  /** The response is held until the test calls `release`. */
  late: { isCarriedOut: true, delivery: 'hold' },
  silent: { isCarriedOut: false, delivery: 'nothing' },
  silent_after: { isCarriedOut: true, delivery: 'nothing' },
  cut_before: { isCarriedOut: false, delivery: 'cut' },
  cut_after: { isCarriedOut: true, delivery: 'cut' },
  /** The connection breaks within the body. */
  truncated_response: { isCarriedOut: true, delivery: 'half' },
  /** A body that is not JSON. */
  malformed: { isCarriedOut: true, delivery: 'malformed' },
  /** The body arrives byte by byte. */
  trickle: { isCarriedOut: true, delivery: 'trickle' },
  http_500: { isCarriedOut: false, delivery: 'response', error: 'internal' },
  http_500_after: { isCarriedOut: true, delivery: 'response', error: 'internal' },
  http_503: { isCarriedOut: false, delivery: 'response', error: 'unavailable' },
  /** A proxy in between responds with HTML. */
  bad_gateway: { isCarriedOut: false, delivery: 'response', error: 'gateway' },
  rate_limited: { isCarriedOut: false, delivery: 'response', error: 'rate_limited' },
} as const satisfies Record<string, { isCarriedOut: boolean; delivery: Delivery; error?: FaultError }>;

export type Fault = keyof typeof faults;
export type Delivery = 'response' | 'hold' | 'nothing' | 'cut' | 'half' | 'malformed' | 'trickle';
/** `gateway` is not a response of the vendor itself, so no contract covers it. */
export type FaultError = 'internal' | 'unavailable' | 'gateway' | 'rate_limited';

/** Error responses in the vendor's format. */
export interface SimulatorResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** The vendor's handling of one call. Outcomes are specific to the vendor. */
export interface Plan<Outcome extends string = string> {
  outcome?: Outcome;
  fault?: Fault;
  /** The vendor's own decline or error code. */
  code?: string;
}

/** The test's plans by operation, in the order of the calls. */
export class Script<Outcome extends string> {
  readonly #plans = new Map<string, { plan: Plan<Outcome>; times: number }[]>();

  /** Plans the next calls of an operation. */
  next(operation: string, plan: Plan<Outcome>, times = 1): void {
    const queue = this.#plans.get(operation) ?? [];
    queue.push({ plan, times });
    this.#plans.set(operation, queue);
  }

  /** Removes all plans. */
  reset(): void {
    this.#plans.clear();
  }

  take(operation: string): Plan<Outcome> {
    const queue = this.#plans.get(operation) ?? [];
    const [first] = queue;
    if (!first) return {};
    first.times -= 1;
    if (first.times <= 0) queue.shift();
    return first.plan;
  }
}
