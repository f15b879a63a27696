import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The service's figures in the Prometheus form; none of them has a label that grows with use. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'paylatch_http_request_seconds',
      help: 'Time to answer a request, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    transitions: new Counter({
      name: 'paylatch_transaction_transitions_total',
      help: 'Changes of status of fiat transactions, by the status before and after.',
      labelNames: ['from', 'to'],
      registers,
    }),
    outcomes: new Counter({
      name: 'paylatch_card_outcomes_total',
      help: 'Outcomes of card attempts, by provider and kind.',
      labelNames: ['provider', 'kind'],
      registers,
    }),
    callbacks: new Counter({
      name: 'paylatch_callback_attempts_total',
      help: 'Attempts to deliver a callback, by result.',
      labelNames: ['result'],
      registers,
    }),
    jobFailures: new Counter({
      name: 'paylatch_job_failures_total',
      help: 'Rounds of a background job that ended with an error.',
      labelNames: ['job'],
      registers,
    }),
    ready: new Gauge({ name: 'paylatch_ready', help: '1 while the process takes work.', registers }),
  };
}
