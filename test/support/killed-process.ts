import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleTests } from '../../scripts/bundle-tests.mjs';
import { packageRoot } from '../../src/system/root.ts';

/** Options of a process that runs withdrawals and is killed in between. */
export interface KillPlan {
  /** Settings for `readConfig`. */
  settings: Readonly<Record<string, string>>;
  /** The process is killed before or after this broadcast; with fewer broadcasts it finishes its work. */
  broadcast: number;
  when: 'before' | 'after';
  /** Number of blocks that the Ethereum node at this URL mines during the work; none by default. */
  mine?: { url: string; blocks: number };
}

/** The bundled program, if the test runner created it. */
const { TEST_KILLED_PROCESS } = process.env;
let program = TEST_KILLED_PROCESS === undefined ? undefined : Promise.resolve(TEST_KILLED_PROCESS);

/** The process's program, bundled once: loading the sources would take seconds each time. */
async function bundleProgram(): Promise<string> {
  const folder = join(packageRoot(), 'test-results', `killed-process-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [bundled] = await bundleTests(['test/support/killed-process-main.ts'], folder, packageRoot());
  if (bundled === undefined) throw new Error('The program was not bundled');
  return bundled;
}

/** Runs a process until its work is done, or until SIGKILL; returns true if it was killed. */
export async function runUntilKilled(plan: KillPlan): Promise<boolean> {
  program ??= bundleProgram();
  const child = spawn(process.execPath, [await program, JSON.stringify(plan)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  if (code !== 0) throw new Error(`The process ended with ${String(code)}: ${complaints}`);
  return false;
}
