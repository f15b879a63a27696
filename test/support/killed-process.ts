import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleTests } from '../../scripts/bundle-tests.mjs';
import { packageRoot } from '../../src/system/root.ts';

/** What a process is told that does withdrawals and dies on the way. */
export interface Fate {
  /** As `readConfig` takes them. */
  settings: Readonly<Record<string, string>>;
  /** It is killed before, or after, this one of its steps; lives to the end of its work where it has fewer. */
  step: number;
  when: 'before' | 'after';
  /** Blocks that the Ethereum node at this URL makes while it works, one after the other; none unless given. */
  mine?: { url: string; blocks: number };
}

let program: Promise<string> | undefined;

/** The process's program, bundled once: of sources, each one would take seconds to load. */
async function bundleProgram(): Promise<string> {
  const folder = join(packageRoot(), 'test-results', `killed-process-${process.pid}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [bundled] = await bundleTests(['test/support/killed-process-main.ts'], folder, packageRoot());
  if (bundled === undefined) throw new Error('The program was not bundled');
  return bundled;
}

/** Runs the work of a process until there is none, or until SIGKILL; answers whether it was killed. */
export async function runToItsDeath(fate: Fate): Promise<boolean> {
  program ??= bundleProgram();
  const child = spawn(process.execPath, [await program, JSON.stringify(fate)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  if (code !== 0) throw new Error(`The process ended with ${String(code)}: ${complaints}`);
  return false;
}
