/*
 * `npm run dev`: the service and its pages from their sources. Vite serves scripts and styles, and updates open pages.
 * All other requests are forwarded to the service.
 */
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative, sep } from 'node:path';
import { createServer as createVite } from 'vite';
import { startProgram } from './dev-program.mjs';
import { forward } from './dev-proxy.mjs';

const root = join(import.meta.dirname, '..');
const port = Number(process.env.PORT || 8080);
/** Loopback only by default, because sources are served too. */
const host = process.env.HOST || '127.0.0.1';
const sourceFolders = ['pages', 'src', 'client', 'node_modules'];
/** Paths that Vite serves. The service serves none of them except the images, which are identical. */
const vitePaths = new RegExp(String.raw`^/(?:(?:@vite|@id|@fs|${sourceFolders.join('|')}|methods|brands)/|icon\.svg)`);

const server = createServer((request, response) => {
  if (vitePaths.test(request.url)) vite.middlewares(request, response);
  else void forward(request, response, program.port);
});

const starting = startProgram({
  host,
  onRestart: () => vite.ws.send({ type: 'full-reload' }),
  onError: ({ message }) => vite.ws.send({ type: 'error', err: { message, stack: '' } }),
});
const vite = await createVite({
  root,
  configFile: join(root, 'vite.config.ts'),
  appType: 'custom',
  logLevel: 'warn',
  server: {
    middlewareMode: true,
    hmr: { server },
    // The data folder stays private.
    fs: { strict: true, allow: sourceFolders.map((folder) => realpathSync(join(root, folder))) },
    watch: { ignored: ['data', 'dist', 'test', 'test-results', 'docs'].map((folder) => `${root}/${folder}/**`) },
  },
  // Converts only CommonJS packages. Bundling all packages would delay and reload the first pages.
  optimizeDeps: { noDiscovery: true, include: ['qrcode'] },
  plugins: [
    {
      name: 'service-restart',
      // A restart reloads the pages. An earlier reload would wait for it.
      hotUpdate: ({ file }) => (program.isSource(pathOf(file)) ? [] : undefined),
    },
  ],
});

const program = await starting;
vite.watcher.on('all', (_event, file) => {
  const path = pathOf(file);
  if (program.isSource(path)) program.handleChange(path);
});

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server.closeAllConnections();
    void Promise.all([program.close(), vite.close()]).then(() => process.exit(0));
  });

server.listen(port, host);
await once(server, 'listening');

/** A file's path relative to the root, as in the bundle's list of sources. */
function pathOf(file) {
  return relative(root, file).split(sep).join('/');
}
