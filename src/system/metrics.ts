import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The service's Prometheus metrics. No label has an unbounded number of values. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const metrics = {
    registry,
    requests: new Histogram({
      name: 'paylatch_http_request_seconds',
      help: 'Duration of HTTP requests, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    transitions: new Counter({
      name: 'paylatch_transaction_transitions_total',
      help: 'Status transitions of fiat transactions, by previous and new status.',
      labelNames: ['from', 'to'],
      registers,
    }),
    cryptoTransitions: new Counter({
      name: 'paylatch_crypto_transitions_total',
      help: 'Status transitions of crypto transactions, by previous and new status.',
      labelNames: ['from', 'to'],
      registers,
    }),
    withdrawalTransitions: new Counter({
      name: 'paylatch_withdrawal_transitions_total',
      help: 'Status transitions of withdrawals, by previous and new status.',
      labelNames: ['from', 'to'],
      registers,
    }),
    writtenOffDeposits: new Counter({
      name: 'paylatch_written_off_deposits_total',
      help: 'Deposits written off because they were spent outside the service, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    databaseRoundTrip: new Gauge({
      name: 'paylatch_database_round_trip_seconds',
      help: 'Duration of the last trivial query, measured every minute.',
      registers,
    }),
    diskFree: new Gauge({
      name: 'paylatch_disk_free_bytes',
      help: 'Free space on the disk of the SQLite database; 0 with PostgreSQL.',
      registers,
    }),
    backup: new Gauge({
      name: 'paylatch_backup_timestamp_seconds',
      help: "Unix time of the last backup, or of PostgreSQL's last WAL archiving after a base backup of at most 8 days ago; 0 without one.",
      registers,
    }),
    certificate: new Gauge({
      name: 'paylatch_certificate_expiry_timestamp_seconds',
      help: 'Unix time at which the TLS certificate of PUBLIC_URL expires; 0 if unknown.',
      registers,
    }),
    oldestReview: new Gauge({
      name: 'paylatch_oldest_review_timestamp_seconds',
      help: 'Unix time of the last change to the payment that has been awaiting review longest, by kind; 0 without one.',
      labelNames: ['kind'],
      registers,
    }),
    emailOverdue: new Gauge({
      name: 'paylatch_email_overdue_seconds',
      help: 'Time since the oldest due email should have been sent; 0 without a backlog.',
      registers,
    }),
    emailWaiting: new Gauge({
      name: 'paylatch_email_waiting',
      help: 'Queued emails, including those to be retried.',
      registers,
    }),
    emails: new Counter({
      name: 'paylatch_email_attempts_total',
      help: 'Attempts to send an email, by kind and result: `sent`, `retried` or `failed`.',
      labelNames: ['kind', 'result'],
      registers,
    }),
    webhooksOverdue: new Gauge({
      name: 'paylatch_webhooks_overdue_seconds',
      help: 'Time since the oldest due webhook should have been sent, except to failing endpoints; 0 without a backlog.',
      registers,
    }),
    gasWallet: new Gauge({
      name: 'paylatch_gas_wallet_ether',
      help: 'Balance of the wallet that pays gas for token transfers, in units of the chain’s fee coin (not wei), by chain; `paylatch gas` prints its address.',
      labelNames: ['chain'],
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
      help: 'Height of the last scanned block, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    chainErrors: new Gauge({
      name: 'paylatch_chain_unavailable',
      help: '1 while a chain cannot be read: its node is down, behind or on another network; /readyz shows the cause.',
      labelNames: ['chain'],
      registers,
    }),
    lostWrites: new Counter({
      name: 'paylatch_lost_writes_total',
      help: 'Signs that the database lost its last writes, by chain and reason.',
      labelNames: ['chain', 'reason'],
      registers,
    }),
    issuingSuspended: new Gauge({
      name: 'paylatch_issuing_suspended',
      help: '1 while no addresses are issued because the database may have lost its last writes, by chain and reason.',
      labelNames: ['chain', 'reason'],
      registers,
    }),
    orphanedBlocks: new Counter({
      name: 'paylatch_orphaned_blocks_total',
      help: 'Orphaned blocks: scanned, then removed from the chain by a reorg, by chain.',
      labelNames: ['chain'],
      registers,
    }),
    rateTime: new Gauge({
      name: 'paylatch_rate_timestamp_seconds',
      help: 'Unix time of the last good exchange rate, by pair; its age is `time() - paylatch_rate_timestamp_seconds`.',
      labelNames: ['base', 'quote'],
      registers,
    }),
    rateUnavailable: new Gauge({
      name: 'paylatch_rate_unavailable',
      help: '1 while an exchange rate is unavailable, by pair; the log has the reason.',
      labelNames: ['base', 'quote'],
      registers,
    }),
    rateSourceErrors: new Counter({
      name: 'paylatch_rate_source_errors_total',
      help: 'Failed requests to sources of exchange rates, by source.',
      labelNames: ['source'],
      registers,
    }),
    cardOutcomes: new Counter({
      name: 'paylatch_card_outcomes_total',
      help: 'Outcomes of card payment attempts, by acquirer and kind.',
      labelNames: ['acquirer', 'kind'],
      registers,
    }),
    refunds: new Counter({
      name: 'paylatch_refunds_total',
      help: 'Completed refunds, by acquirer and outcome.',
      labelNames: ['acquirer', 'outcome'],
      registers,
    }),
    authorizationOutcomes: new Counter({
      name: 'paylatch_authorization_outcomes_total',
      help: 'Outcomes of authorizations, by acquirer: captured, voided, expired or refused.',
      labelNames: ['acquirer', 'outcome'],
      registers,
    }),
    acquirerCalls: new Histogram({
      name: 'paylatch_acquirer_call_seconds',
      help: 'Duration of acquirer API calls, by acquirer, call and result: responded (any response), failed, or timeout.',
      labelNames: ['acquirer', 'call', 'result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    acquirerAccounts: new Gauge({
      name: 'paylatch_acquirer_accounts',
      help: 'Enabled acquirer accounts, by acquirer and result of the last check of their credentials: ok, failed, unreachable or unchecked.',
      labelNames: ['acquirer', 'status'],
      registers,
    }),
    acquirerWebhooks: new Counter({
      name: 'paylatch_acquirer_webhooks_total',
      help: 'Webhooks received from acquirers, by acquirer and result: accepted, bad_signature or malformed.',
      labelNames: ['acquirer', 'result'],
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'paylatch_callback_attempt_seconds',
      help: 'Duration of webhook delivery attempts, by result.',
      labelNames: ['result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25],
      registers,
    }),
    webhookDelay: new Histogram({
      name: 'paylatch_callback_delay_seconds',
      help: 'Delay between the due time and the start of a webhook delivery attempt, except to failing endpoints.',
      buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    disabledEndpoints: new Counter({
      name: 'paylatch_callback_urls_disabled_total',
      help: 'Webhook endpoints disabled, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'paylatch_rate_limited_total',
      help: 'Requests over a rate limit, by limit; high submit_address and submit_card counts indicate card testing.',
      labelNames: ['limit'],
      registers,
    }),
    proofChallenges: new Counter({
      name: 'paylatch_proof_challenges_total',
      help: 'Proof-of-work challenges for addresses over a card-testing limit: issued, solved, invalid, expired, reused, or capped (the client must wait).',
      labelNames: ['result'],
      registers,
    }),
    jobRounds: new Histogram({
      name: 'paylatch_job_run_seconds',
      help: 'Duration of background job runs, by job and result: done, idle (nothing due) or failed.',
      labelNames: ['job', 'result'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
      registers,
    }),
    openStreams: new Gauge({
      name: 'paylatch_open_streams',
      help: 'Open live-update streams (SSE).',
      registers,
    }),
    ready: new Gauge({
      name: 'paylatch_ready',
      help: '1 while the process accepts requests and its database responds.',
      registers,
    }),
  };
  // Otherwise Prometheus would not count the first event of a process as an increase.
  for (const reason of ['gone', 'no_success']) metrics.disabledEndpoints.inc({ reason }, 0);
  return metrics;
}
