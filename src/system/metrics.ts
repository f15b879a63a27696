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
    cryptoTransitions: new Counter({
      name: 'paylatch_crypto_transitions_total',
      help: 'Changes of status of crypto transactions, by the status before and after.',
      labelNames: ['from', 'to'],
      registers,
    }),
    withdrawalTransitions: new Counter({
      name: 'paylatch_withdrawal_transitions_total',
      help: 'Changes of status of withdrawals, by the status before and after.',
      labelNames: ['from', 'to'],
      registers,
    }),
    writtenOff: new Counter({
      name: 'paylatch_written_off_deposits_total',
      help: 'Deposits that were found spent outside the service and written off, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    gasWallet: new Gauge({
      name: 'paylatch_gas_wallet_ether',
      help: 'Ether of the wallet that pays for moving tokens; `paylatch gas` tells its address.',
      registers,
    }),
    ledgerDifference: new Gauge({
      name: 'paylatch_ledger_difference',
      help: 'Unexplained differences between the ledger and a chain at the last reconciliation, in whole coins, by chain and currency.',
      labelNames: ['chain', 'code'],
      registers,
    }),
    chainHeight: new Gauge({
      name: 'paylatch_chain_height',
      help: 'Height of the last block that was read, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    chainTrouble: new Gauge({
      name: 'paylatch_chain_trouble',
      help: '1 while a chain cannot be read: its node is down, behind or on another network; /readyz says which.',
      labelNames: ['chain'],
      registers,
    }),
    lostWrites: new Counter({
      name: 'paylatch_lost_writes_total',
      help: 'Signs that the database has lost its last writes, by chain and reason; no address is issued until it is settled.',
      labelNames: ['chain', 'reason'],
      registers,
    }),
    reorganisedBlocks: new Counter({
      name: 'paylatch_reorganised_blocks_total',
      help: 'Blocks that were read and are in the chain no more, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    outcomes: new Counter({
      name: 'paylatch_card_outcomes_total',
      help: 'Outcomes of card attempts, by provider and kind.',
      labelNames: ['provider', 'kind'],
      registers,
    }),
    refunds: new Counter({
      name: 'paylatch_refunds_total',
      help: 'Refunds that have ended, by provider and outcome.',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    providerCalls: new Histogram({
      name: 'paylatch_provider_call_seconds',
      help: 'Time of a call of a provider, by provider, call and result: answered (whatever the answer), failed, or late, which nobody waited for any longer.',
      labelNames: ['provider', 'call', 'result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    callbacks: new Histogram({
      name: 'paylatch_callback_attempt_seconds',
      help: 'Time of an attempt to deliver a callback, by result.',
      labelNames: ['result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    callbackDelay: new Histogram({
      name: 'paylatch_callback_delay_seconds',
      help: 'How long after it was due an attempt to deliver a callback began.',
      buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    receiversOff: new Counter({
      name: 'paylatch_callback_urls_switched_off_total',
      help: 'Callback URLs that were switched off, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    limited: new Counter({
      name: 'paylatch_limited_total',
      help: 'Requests that were one too many, by limit; many of submit_address and submit_card mean that cards are being tested.',
      labelNames: ['limit'],
      registers,
    }),
    challenges: new Counter({
      name: 'paylatch_challenges_total',
      help: 'Challenges to pages from whose address too many cards were tried: issued, solved, and what was not taken; capped means that nothing but waiting helps.',
      labelNames: ['result'],
      registers,
    }),
    jobRounds: new Histogram({
      name: 'paylatch_job_round_seconds',
      help: 'Time of a round of a background job, by job and result: done, idle (nothing was due) or failed.',
      labelNames: ['job', 'result'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
      registers,
    }),
    openStreams: new Gauge({
      name: 'paylatch_open_streams',
      help: 'Pages that follow their payment by a stream of events now.',
      registers,
    }),
    ready: new Gauge({ name: 'paylatch_ready', help: '1 while the process takes work.', registers }),
  };
}
