import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../../src/system/root.ts';
import { freePort } from '../support/ports.ts';

/** Disables telemetry of the platforms. */
export const quiet = { MEDUSA_DISABLE_TELEMETRY: 'true', VENDURE_DISABLE_TELEMETRY: 'true' };

export interface RunningShop {
  origin: string;
  /** The printed output. */
  output: () => string;
  stop(): Promise<void>;
}

/**
 * Returns the folder of a platform with its packages. Adds the Paylatch packages as npm would install them: only their
 * manifests and builds.
 */
export function packageFolder(platform: 'medusa' | 'vendure'): string {
  const folder = join(packageRoot(), 'test/shops', platform);
  for (const name of ['client', platform]) {
    const target = join(folder, 'node_modules/@paylatch', name);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const path of ['package.json', 'dist'])
      cpSync(join(packageRoot(), 'packages', name, path), join(target, path), { recursive: true });
  }
  return folder;
}

/** Starts a platform on a free port, and waits until `path` responds; the test's timeout limits it. */
export async function startShop(
  cwd: string,
  argsOf: (port: string) => string[],
  env: Record<string, string>,
  path: string,
): Promise<RunningShop> {
  const port = String(await freePort());
  const shop: ChildProcess = spawn(process.execPath, argsOf(port), {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet, NODE_OPTIONS: '', NODE_ENV: 'development', ...env, PORT: port },
  });
  let output = '';
  for (const stream of [shop.stdout, shop.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(shop, 'exit');
  const stop = async () => {
    shop.kill('SIGKILL');
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    const responds = async () =>
      await fetch(origin + path).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await responds())) {
      if (shop.exitCode !== null) throw new Error(`The shop exited with ${shop.exitCode}`);
      await pause(200);
    }
  } catch (error) {
    await stop();
    throw new Error(`The shop did not start:\n${output}`, { cause: error });
  }
  return { origin, output: () => output, stop };
}
