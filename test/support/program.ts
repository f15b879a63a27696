import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';

const script = join(packageRoot(), 'scripts', 'paylatch.mjs');

/** Timeout for a condition. */
const TIMEOUT_MS = 120_000;

export type Settings = Record<string, string>;

/** The real program in its own process. */
export interface Program {
  origin: string;
  pid: number;
  /** Kills it without draining (SIGKILL). */
  kill(): Promise<void>;
  /** Drains it (SIGTERM); rejects with its output on failure. */
  end(): Promise<void>;
  /** Resolves with its exit code, or its signal. */
  ended: Promise<number | string>;
  /** Sends a message to a process with a preloaded module; resolves when it responds. */
  send(message: object): Promise<void>;
}

function environment(settings: Settings): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  return { ...inherited, ...settings };
}

/**
 * Starts the program, this one or one in another folder; resolves when it is ready. `nodeOptions` may contain a module
 * that receives the messages of `send`.
 */
export async function startProgram(
  settings: Settings,
  program = script,
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  const child: ChildProcess = spawn(process.execPath, [...nodeOptions, program, 'start'], {
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe', ...(nodeOptions.length > 0 ? ['ipc' as const] : [])],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  const origin = `http://127.0.0.1:${settings.PORT}`;
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  const end = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`The program ended with ${code}. Output:\n${output}`);
  };
  try {
    await until('the program is ready', async () => {
      if (child.exitCode !== null) throw new Error('The program ended while it started');
      const result = await fetch(`${origin}/readyz`).catch(() => null);
      await result?.body?.cancel();
      return result?.status === 200;
    });
  } catch (error) {
    await kill();
    throw new Error(`The program did not start. Output:\n${output}`, { cause: error });
  }
  return {
    ...{ origin, pid: child.pid ?? 0, kill, end },
    ended: ended.then(([code, signal]) => code ?? signal ?? ''),
    async send(message) {
      const response = once(child, 'message');
      child.send(message);
      await Promise.race([response, ended]);
    },
  };
}

/** Runs a command of the program; returns its parsed JSON output. Bodies are untyped. */
export async function runCommand<Printed = Record<string, string | number>>(
  args: readonly string[],
  settings: Settings,
): Promise<Printed> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args, '--output', 'json'], {
    env: environment(settings),
  });
  return JSON.parse(stdout) as Printed;
}

/** Runs the program to its end, without this process's settings; returns its output. */
export async function runProgram(
  args: readonly string[],
  settings: Settings,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return await new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...settings };
    execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** Resolves when a request is connected, so that later connections come after it. */
export async function connected(asking: ClientRequest): Promise<void> {
  const [socket] = (await once(asking, 'socket')) as [Socket];
  if (socket.connecting) await once(socket, 'connect');
}

/** Polls a condition until it is true; fails with its name on timeout. */
export async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting until ${what}`);
    // Polling takes CPU time from the awaited work.
    await pause(25);
  }
}
