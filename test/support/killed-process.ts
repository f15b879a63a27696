import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../src/platform/root.ts';

/** What a process is told that does withdrawals and dies on the way. */
export interface Fate {
  /** As `readConfig` takes them. */
  settings: Readonly<Record<string, string>>;
  /** It is killed before, or after, this one of its steps; lives to the end of its work where it has fewer. */
  step: number;
  when: 'before' | 'after';
}

/** Runs the work of a process until there is none, or until SIGKILL; answers whether it was killed. */
export async function runToItsDeath(fate: Fate): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(packageRoot(), 'test', 'support', 'killed-process-main.ts'), JSON.stringify(fate)],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [code, signal] = await once(child, 'exit');
  if (signal === 'SIGKILL') return true;
  if (code !== 0) throw new Error(`The process ended with ${String(code)}: ${complaints}`);
  return false;
}
