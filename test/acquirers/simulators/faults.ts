/** How a call can fail. Whether the vendor carries the request out is the part that the caller can't see. */
export const faults = {
  none: { isCarriedOut: true, delivery: 'answer' },
  /** The answer waits until the test calls `release`. */
  late: { isCarriedOut: true, delivery: 'hold' },
  silent: { isCarriedOut: false, delivery: 'nothing' },
  silent_after: { isCarriedOut: true, delivery: 'nothing' },
  cut_before: { isCarriedOut: false, delivery: 'cut' },
  cut_after: { isCarriedOut: true, delivery: 'cut' },
  /** The connection breaks within the body. */
  cut_answer: { isCarriedOut: true, delivery: 'half' },
  http_500: { isCarriedOut: false, delivery: 'answer', error: 'internal' },
  http_500_after: { isCarriedOut: true, delivery: 'answer', error: 'internal' },
  http_503: { isCarriedOut: false, delivery: 'answer', error: 'unavailable' },
  /** A proxy in between answers in HTML. */
  bad_gateway: { isCarriedOut: false, delivery: 'answer', error: 'gateway' },
  rate_limited: { isCarriedOut: false, delivery: 'answer', error: 'rate_limited' },
} as const satisfies Record<string, { isCarriedOut: boolean; delivery: Delivery; error?: FaultError }>;

export type Fault = keyof typeof faults;
export type Delivery = 'answer' | 'hold' | 'nothing' | 'cut' | 'half';
/** `gateway` is no answer of the vendor's own, so no contract covers it. */
export type FaultError = 'internal' | 'unavailable' | 'gateway' | 'rate_limited';

/** Error answers in the vendor's form. */
export interface SimulatorResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** What the vendor does with one call. Outcomes are the vendor's own. */
export interface Plan<Outcome extends string = string> {
  outcome?: Outcome;
  fault?: Fault;
  /** Decline or error code in the vendor's words. */
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
