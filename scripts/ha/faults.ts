import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fillDisk } from '../../test/support/full-disk.ts';
import { type Cluster, until } from './cluster.ts';
import { connect, disconnect, killProcesses, type Machine, startAs } from './network.ts';

/** A fault: `inject` resolves once it has happened, and returns a function that repairs it. */
export interface Fault {
  name: string;
  title: string;
  inject(cluster: Cluster): Promise<Repair | null>;
}

/** Repairs a fault, and returns violations that it has seen. */
type Repair = () => Promise<string[]> | string[];

/** Time until the operator moves the primary away from a full disk. */
const DISK_FULL_MS = 10_000;

export const faults: readonly Fault[] = [
  {
    name: 'kill-primary',
    title: 'kill -9 of all processes of the primary’s machine (PostgreSQL, Patroni, etcd)',
    async inject(cluster) {
      const primary = await requirePrimary(cluster);
      killProcesses(primary);
      return () => {
        cluster.startEtcd(primary);
        cluster.startPatroni(primary);
        return [];
      };
    },
  },
  {
    name: 'partition',
    title: 'network of the primary’s machine cut off (network namespace)',
    async inject(cluster) {
      const primary = await requirePrimary(cluster);
      disconnect(primary);
      return async () => {
        const violations = (await acceptsWrites(cluster, primary))
          ? [`${primary.name} acknowledged a write while it was isolated`]
          : [];
        connect(primary);
        return violations;
      };
    },
  },
  {
    name: 'switchover',
    title: 'planned switchover (patronictl switchover)',
    async inject(cluster) {
      await cluster.patronictl('switchover', '--force', 'paylatch');
      return null;
    },
  },
  {
    name: 'pgbouncer',
    title: 'PgBouncer restarted',
    async inject(cluster) {
      await cluster.restartPgbouncer();
      return null;
    },
  },
  {
    name: 'roll',
    title: 'Paylatch processes restarted one after another (SIGTERM)',
    async inject(cluster) {
      const violations: string[] = [];
      for (const index of cluster.processes.keys()) {
        const code = await cluster.replaceProcess(index);
        if (code !== 0) violations.push(`A drained process exited with ${code}`);
      }
      return () => violations;
    },
  },
  {
    name: 'disk-full',
    title: `disk of the primary full for ${DISK_FULL_MS / 1000} s (tmpfs), then switchover`,
    async inject(cluster) {
      const primary = await requirePrimary(cluster);
      const filler = fillDisk(cluster.disk(primary));
      await pause(DISK_FULL_MS);
      await cluster.patronictl('switchover', '--force', 'paylatch');
      return () => {
        rmSync(filler);
        return [];
      };
    },
  },
];

export const faultNames = faults.map(({ name }) => name);

/** Waits: on a busy machine, Patroni can take longer to respond than a request's timeout. */
async function requirePrimary(cluster: Cluster): Promise<Machine> {
  let primary = await cluster.findPrimary();
  await until('Patroni reports the primary', async () => (primary ??= await cluster.findPrimary()) !== null);
  if (!primary) throw new Error('There is no primary');
  return primary;
}

/** Sends a write to the PostgreSQL of an isolated machine, from this machine itself. */
async function acceptsWrites(cluster: Cluster, machine: Machine): Promise<boolean> {
  const command = ['psql', '-h', cluster.disk(machine), '-U', 'postgres', '-c', 'create table isolated ()'];
  const child = startAs('postgres', machine, ['timeout', '-s', 'KILL', '5', ...command], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
