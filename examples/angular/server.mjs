// Serves the built application, and the payments endpoint.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { handlePayments, SERVICE_URL, PORT } from '../server.mjs';

const dist = join(import.meta.dirname, 'dist');
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
const files = new Map(
  readdirSync(dist)
    .filter((name) => extname(name) in types)
    .map((name) => [`/${name}`, readFileSync(join(dist, name), 'utf8').replaceAll('%SERVICE_URL%', SERVICE_URL)]),
);

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  try {
    if (pathname.startsWith('/payments')) return await handlePayments(request, response);
    const path = pathname === '/' ? '/index.html' : pathname;
    if (!files.has(path)) return response.writeHead(404).end();
    return response.setHeader('content-type', types[extname(path)]).end(files.get(path));
  } catch (error) {
    console.error(error);
    return response.writeHead(502).end('{}');
  }
});
server.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
