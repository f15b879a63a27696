// Bundles the service for `npm run dev`, and restarts it when a source file changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { context } from 'esbuild';
import { buildWidget, programOptions } from './build.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist', 'dev');
/** Grace period for requests and streams in progress before a restart. */
const DRAIN_MS = 1000;

/** Files that the service reads when it starts, by their folder. */
const copies = {
  widget: async () => await buildWidget(join(dist, 'widget')),
  'examples/shop/browser': async () =>
    cpSync(join(root, 'examples', 'shop', 'browser'), join(dist, 'shop'), { recursive: true }),
};

/** Starts the service. `onRestart` is called after each restart, `onError` if the sources cannot be bundled. */
export async function startProgram({ host, onRestart, onError }) {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'pages'), { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(dist, 'inventory.json'), JSON.stringify({ version, files: [] }));
  const bundler = await context({
    ...programOptions({ service: 'scripts/dev-service.ts' }, 'dist/dev/server'),
    // Bundling without the packages takes a third of the time.
    packages: 'external',
    metafile: true,
  });
  let sources = new Set();
  let child = null;
  let isFirst = true;
  const changed = new Set();

  const bundle = async (files) => {
    const copied = Object.entries(copies).filter(([folder]) => !files || files.some((file) => isIn(folder, file)));
    const [{ metafile }] = await Promise.all([bundler.rebuild(), ...copied.map(async ([, copy]) => await copy())]);
    sources = new Set(Object.keys(metafile.inputs));
  };

  /** Resolves with the port of the service, or null if it ends before it is ready. */
  const run = async () => {
    const started = spawn(process.execPath, ['--enable-source-maps', join(dist, 'server', 'service.js')], {
      cwd: root,
      env: { ...process.env, HOST: host },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    child = started;
    // The list of URLs is printed once, the log always.
    const printsUrls = isFirst;
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (printsUrls || line.startsWith('{')) process.stdout.write(`${line}\n`);
    });
    const ready = once(started, 'message').then(([{ port }]) => port);
    const port = await Promise.race([ready, once(started, 'exit').then(() => null)]);
    if (port === null) process.stderr.write('The service did not start. The next change restarts it.\n');
    else isFirst = false;
    return port;
  };

  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
    await ended;
    clearTimeout(kill);
  };

  const restart = async (previousPort) => {
    const files = [...changed];
    changed.clear();
    try {
      await bundle(files);
    } catch (error) {
      // The previous service continues.
      onError(error);
      return previousPort;
    }
    await stop();
    const port = await run();
    if (port !== null) process.stdout.write(`Restarted after a change to ${files.join(', ')}\n`);
    onRestart();
    return port;
  };

  let port = bundle(null).then(run);
  return {
    /** Resolves with the port of the service when it is ready; null if it did not start. */
    port: async () => await port,
    isSource: (file) => sources.has(file) || Object.keys(copies).some((folder) => isIn(folder, file)),
    /** Restarts the service; changes during a restart cause one further restart. */
    handleChange(file) {
      changed.add(file);
      if (changed.size === 1) port = port.then(restart);
    },
    async close() {
      await port.catch(() => null);
      await stop();
      await bundler.dispose();
    },
  };
}

function isIn(folder, file) {
  return file.startsWith(`${folder}/`);
}
