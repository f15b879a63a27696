import { AsyncLocalStorage } from 'node:async_hooks';
import { createProgram, runCommand } from '../../src/cli/program.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

const streams = ['stdout', 'stderr'] as const;
const running = new AsyncLocalStorage<CommandResult>();

/** Captures the output of a command; other output, such as the test runner's, is passed on. */
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
 * Runs a command in this process without its settings, in a tenth of the time of a new process. Only one at a time,
 * because settings and the exit code are global. Signals, pipes and the masking of standard error need the real
 * program.
 */
export async function runInProcess(
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<CommandResult> {
  const run = last.then(async () => {
    const { env, exitCode } = process;
    const ended: CommandResult = { code: 0, stdout: '', stderr: '' };
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

/** Runs a command with `--output json`; returns the parsed output, or rejects with the error output. Bodies are untyped. */
export async function runCommandInProcess<Printed = Record<string, string | number>>(
  args: readonly string[],
  settings: Record<string, string>,
): Promise<Printed> {
  const { code, stdout, stderr } = await runInProcess([...args, '--output', 'json'], settings);
  if (code !== 0) throw new Error(`The command ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Printed;
}
