/*
 * One origin for all compared pages: proxies requests to the service, and serves the other pages itself with the
 * service's headers.
 */
import { once } from 'node:events';
import http from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Dropin, stubOf } from './adyen-dropin.ts';

/** One word: an entirely empty page paints nothing, so there would be no time to compare. */
const EMPTY_PAGE = `<!doctype html>
<html lang="en" data-bench="empty">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Empty</title><link rel="icon" href="/icon.svg" type="image/svg+xml"></head>
<body><p>Empty</p></body>
</html>
`;

export interface PageServer {
  /** Responses in place of Adyen's hosts, with their counts. */
  stubbed: ReadonlyMap<string, number>;
  close(): void;
}

/** Headers of a single connection or body, which must not be copied. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'etag',
  'last-modified',
  'date',
]);
/** Policy headers: Adyen's page loads sources that ours may not. */
const POLICIES = new Set(['content-security-policy', 'x-frame-options']);

type Headers = http.IncomingHttpHeaders;

export async function servePages(options: {
  port: number;
  service: string;
  linkPath: string;
  dropin: Dropin | null;
}): Promise<PageServer> {
  const { service, linkPath, dropin } = options;
  const agent = new http.Agent({ keepAlive: true });
  const stubbed = new Map<string, number>();

  const page = await headersOf(service, linkPath, 'gzip');
  if (page.headers['content-encoding'] !== 'gzip') throw new Error('The service did not compress the page');
  const [scriptPath] = /\/[^"]+\.js(?=" integrity)/.exec(page.body) ?? [];
  if (scriptPath === undefined) throw new Error('The page names no script');
  const file = await headersOf(service, scriptPath, 'br');
  if (file.headers['content-encoding'] !== 'br') throw new Error('The service did not compress its script');

  const emptyPage = gzipSync(EMPTY_PAGE);
  const dropinPage = gzipSync(dropin?.html ?? '');
  const dropinFiles = new Map(
    [...(dropin?.files ?? [])].map(([path, { type, content }]) => [
      path,
      { type, content: brotliCompressSync(content) },
    ]),
  );

  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const send = (headers: Headers, content: Buffer) => void response.writeHead(200, headers).end(content);
    if (pathname === '/bench/empty') return send(kept(page.headers), emptyPage);
    if (pathname === '/bench/dropin') return send(kept(page.headers, POLICIES), dropinPage);
    const dropinFile = dropinFiles.get(pathname);
    if (dropinFile) return send({ ...kept(file.headers), 'content-type': dropinFile.type }, dropinFile.content);
    const stub = stubOf(pathname);
    if (stub) {
      stubbed.set(stub.name, (stubbed.get(stub.name) ?? 0) + 1);
      return send({ 'content-type': stub.type, 'cache-control': 'no-store' }, stub.content);
    }
    const { method, headers, url: path } = request;
    const onward = http.request(service, { agent, method, path, headers }, (result) => {
      response.writeHead(result.statusCode ?? 502, result.headers);
      result.on('error', () => response.destroy());
      result.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  return {
    stubbed,
    close() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function kept(headers: Headers, without: ReadonlySet<string> = new Set()): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name) && !without.has(name)));
}

/** The raw headers, which `fetch` does not expose, and the body as text. */
async function headersOf(service: string, path: string, encoding: string) {
  const request = http.get(service + path, { headers: { accept: '*/*', 'accept-encoding': encoding } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  const body = await (await fetch(service + path)).text();
  return { headers: response.headers, body };
}
