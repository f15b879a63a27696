// Runs in the namespaces that scripts/ha.mjs creates. The only argument is its options.
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../client/index.ts';
import { openDatabase } from '../../src/database/open.ts';
import { openEndpoint } from '../../test/support/webhook-endpoint.ts';
import { findViolations } from './checks.ts';
import { startCluster, until } from './cluster.ts';
import { passwords, ports } from './configuration.ts';
import { type Fault, faults } from './faults.ts';
import { startLoad } from '../../test/support/payment-load.ts';

interface Options {
  folder: string;
  faults: string[];
  seconds: number;
  rounds: number;
  workers: number;
  pool: string;
  keep: boolean;
}

/** Longest wait for a write after a fault. */
const RECOVERY_MS = 180_000;

interface Result {
  fault: Fault;
  /** Longest time between two acknowledged writes. */
  unavailableSeconds: number;
  payments: number;
  requests: number;
  errors: string;
  webhooks: number;
  violations: string[];
}

const options = JSON.parse(process.argv[2] ?? '') as Options;
const print = (line = '') => process.stdout.write(`${line}\n`);
const startedMs = performance.now();
print(`Starting PostgreSQL with Patroni, etcd, HAProxy, PgBouncer (${options.pool} mode) and Paylatch…`);
const cluster = await startCluster(options);
print(`Started in ${((performance.now() - startedMs) / 1000).toFixed(0)} s.`);

const { command } = cluster;
const { merchant_id: merchant } = await command(['merchant', 'create', '--name', 'Kettle & Co']);
const ofMerchant = ['--merchant', String(merchant)];
await command(['merchant', 'method', ...ofMerchant, '--method', 'credit_card', '--currency', 'USD']);
const token = String((await command(['token', 'create', ...ofMerchant])).access_token);
const secret = String((await command(['webhooks', 'secret', ...ofMerchant])).callback_secret);
const signatures = new Webhook(secret);
const receivedIds: string[] = [];
let forged = 0;
const endpoint = await openEndpoint();
endpoint.respond = ({ headers, body }) => {
  try {
    signatures.verify(body, headers);
  } catch {
    forged += 1;
    return 400;
  }
  receivedIds.push(headers['webhook-id'] ?? '');
  return 204;
};
// Before the first payment: events without an endpoint have no webhook.
await createClient({ baseUrl: cluster.origin, token }).setPreference({ key: 'callback-url', value: endpoint.url });
const database = openDatabase(
  `postgres://postgres:${passwords.postgres}@127.0.0.1:${ports.primary}/paylatch`,
  () => undefined,
);

const results: Result[] = [];
for (let round = 0; round < options.rounds; round += 1)
  for (const name of options.faults) {
    const fault = faults.find((each) => each.name === name);
    if (!fault) continue;
    const result = await measure(fault, `ha-${results.length}`);
    results.push(result);
    print(row(result));
    for (const violation of result.violations) print(`  violation: ${violation}`);
  }
const doctor = (await command(['doctor'])) as { checks: { check: string; found: string }[] };
print(`\ndoctor, replication: ${doctor.checks.find(({ check }) => check === 'replication')?.found}`);
const violations = results.reduce((sum, result) => sum + result.violations.length, 0);
const total = (of: (result: Result) => number) => results.reduce((sum, result) => sum + of(result), 0);
print(
  `${cluster.acquirer.charges().length} charges at the acquirer, ${results.length} faults, ${total((result) => result.payments)} payments, ${total((result) => result.requests)} requests, ${receivedIds.length} webhooks received, ${violations} violations`,
);
if (options.keep) await keepRunning();
process.exit(violations === 0 ? 0 : 1);

/** Runs payments before, during and after a fault, then checks the invariants. */
async function measure(fault: Fault, run: string): Promise<Result> {
  print(`\n${fault.title}`);
  const receivedBefore = receivedIds.length;
  const load = startLoad({ baseUrl: cluster.origin, token, workers: options.workers, run });
  const found: string[] = [];
  await until('payments succeed', () => Promise.resolve(load.writes.length > 5));
  await pause(options.seconds * 1000);
  const faultMs = performance.now();
  const repair = await fault.inject(cluster);
  const injectedMs = performance.now();
  await pause(options.seconds * 1000);
  await until('payments succeed again', () => Promise.resolve((load.writes.at(-1) ?? 0) > injectedMs), RECOVERY_MS);
  await pause(options.seconds * 1000);
  found.push(...((await repair?.()) ?? []));
  await cluster.waitUntilHealthy();
  await pause(options.seconds * 1000);
  await load.stop();
  const writes = load.writes.filter((at) => at >= faultMs);
  const gaps = writes.map((at, index) => at - (writes[index - 1] ?? faultMs));
  if (forged > 0) found.push(`${forged} webhooks had no valid signature`);
  forged = 0;
  found.push(
    ...cluster.crashes.splice(0),
    ...load.violations,
    ...cluster.acquirer.violations.splice(0).map(({ where, reasons }) => `${where}: ${reasons.join('; ')}`),
    ...(await findViolations(cluster, { database, load, receivedIds })),
  );
  return {
    fault,
    unavailableSeconds: Math.max(0, ...gaps) / 1000,
    payments: load.facts.confirmed.size,
    requests: load.figures.requests,
    errors: [...load.figures.errors].map(([name, count]) => `${count} × ${name}`).join(', ') || 'none',
    webhooks: receivedIds.length - receivedBefore,
    violations: [...new Set(found)],
  };
}

function row(result: Result): string {
  const { unavailableSeconds, payments, requests, errors, webhooks } = result;
  const figures = `${payments} payments, ${requests} requests, ${webhooks} webhooks, errors: ${errors}`;
  return `  unavailable ${unavailableSeconds.toFixed(1)} s, ${figures}, ${result.violations.length} violations`;
}

async function keepRunning(): Promise<void> {
  print(`
The cluster runs until Ctrl-C. Find its process in another terminal, and enter its namespaces:

  pid=$(pgrep -f ha/main.ts | tail -1)
  nsenter --target $pid --net --mount --pid

  curl http://127.0.0.1:${ports.service}/healthz
  patronictl -c ${options.folder}/node1.yaml list
  psql postgres://postgres:${passwords.postgres}@127.0.0.1:${ports.primary}/paylatch
  ls ${options.folder}/*.log
`);
  await new Promise(() => setInterval(() => undefined, 60_000));
}
