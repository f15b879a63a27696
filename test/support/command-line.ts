import { AsyncLocalStorage } from 'node:async_hooks';
import { createProgram, runCommand } from '../../src/cli/program.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

const streams = ['stdout', 'stderr'] as const;
const running = new AsyncLocalStorage<Ended>();

/** Keeps what a command writes; what others write meanwhile, such as the test runner's reports, goes where it went. */
for (const name of streams) {
  const write = process[name].write.bind(process[name]) as (...args: unknown[]) => boolean;
  process[name].write = (chunk: unknown, ...rest: unknown[]) => {
    const ended = running.getStore();
    if (!ended) return write(chunk, ...rest);
    ended[name] += String(chunk);
    for (const done of rest) if (typeof done === 'function') queueMicrotask(() => done());
    return true;
  };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, with nothing of its settings: a tenth of the time that a process takes to start. One
 * at a time, since settings and the exit code are the process's. Signals, pipes and the masking of standard error need
 * the real program.
 */
export async function runHere(args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
  const run = last.then(async () => {
    const { env, exitCode } = process;
    const ended: Ended = { code: 0, stdout: '', stderr: '' };
    process.env = { PATH: env['PATH'], ...settings };
    process.exitCode = undefined;
    try {
      ended.code = await running.run(ended, async () => await runCommand(createProgram(), args));
      return ended;
    } finally {
      process.env = env;
      process.exitCode = exitCode;
    }
  });
  last = run.catch(() => undefined);
  return await run;
}

/** Runs a command with `--json`; returns what it printed, or rejects with what it said. Bodies are loose on purpose. */
export async function runCommandHere<Printed = Record<string, string | number>>(
  args: readonly string[],
  settings: Record<string, string>,
): Promise<Printed> {
  const { code, stdout, stderr } = await runHere([...args, '--json'], settings);
  if (code !== 0) throw new Error(`The command ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}
