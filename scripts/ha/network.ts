import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';

/** A machine: a network namespace with one address. */
export interface Machine {
  name: string;
  address: string;
  /** Its interface at the switch. */
  cable: string;
  /** The process that holds the namespace. */
  holder: number;
}

const BRIDGE = 'switch';

export function createSwitch(): void {
  run('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  run('ip', 'address', 'add', '10.61.0.254/24', 'dev', BRIDGE);
  run('ip', 'link', 'set', BRIDGE, 'up');
}

/** Creates a machine, connected to the others. */
export function createMachine(index: number): Machine {
  const holder = spawn('unshare', ['--net', 'sleep', 'infinity'], { stdio: 'ignore' });
  const machine = {
    ...{ name: `node${index}`, address: `10.61.0.${index}`, cable: `cable${index}` },
    holder: holder.pid ?? 0,
  };
  const outside = readlinkSync('/proc/self/ns/net');
  while (readlinkSync(`/proc/${machine.holder}/ns/net`) === outside);
  const { cable, address } = machine;
  run('ip', 'link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(machine.holder));
  run('ip', 'link', 'set', cable, 'master', BRIDGE, 'up');
  for (const command of ['link set lo up', `address add ${address}/24 dev eth0`, 'link set eth0 up'])
    run('nsenter', `--net=/proc/${machine.holder}/ns/net`, 'ip', ...command.split(' '));
  return machine;
}

/** Disconnects a machine: packets are lost in both directions, and no connection is closed. */
export function disconnect({ cable }: Machine): void {
  run('ip', 'link', 'set', cable, 'down');
}

export function connect({ cable }: Machine): void {
  run('ip', 'link', 'set', cable, 'up');
}

/** Kills all processes of a machine at once, like a power failure. */
export function killProcesses(machine: Machine): void {
  for (const pid of processesOf(machine))
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It has ended with its parent.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

function processesOf({ holder }: Machine): number[] {
  const namespace = readlinkSync(`/proc/${holder}/ns/net`);
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && pid !== holder && readlinkSync(`/proc/${pid}/ns/net`) === namespace;
      } catch {
        // It has ended in the meantime.
        return false;
      }
    });
}

/** Starts a program as an unprivileged user, on a machine or outside all machines. */
export function startAs(user: string, machine: Machine | null, command: readonly string[], options: SpawnOptions) {
  const enter = machine ? ['nsenter', `--net=/proc/${machine.holder}/ns/net`] : [];
  const [program = '', ...args] = [
    ...enter,
    ...['setpriv', '--reuid', user, '--regid', user, '--init-groups', '--inh-caps=-all', '--no-new-privs', '--'],
    ...command,
  ];
  return spawn(program, args, options);
}

export function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
