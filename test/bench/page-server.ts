/*
 * One origin for all pages that are compared: hands requests on to the service, and answers the
 * other pages itself with the headers that the service gives its own.
 */
import { once } from 'node:events';
import http from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Dropin, stubOf } from './adyen-dropin.ts';

/** One word: in a page that is quite empty nothing is painted, and there is no time to compare with. */
const EMPTY_PAGE = `<!doctype html>
<html lang="en" data-bench="empty">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Empty</title><link rel="icon" href="/icon.svg" type="image/svg+xml"></head>
<body><p>Empty</p></body>
</html>
`;

export interface PageServer {
  /** What was answered in place of Adyen's hosts, and how often. */
  stubbed: ReadonlyMap<string, number>;
  close(): void;
}

/** Of one connection, or of one body: not those of another answer. */
const OWN = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'etag',
  'last-modified',
  'date',
]);
/** Say who may frame and load what: Adyen's page loads what ours may not. */
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
    const onward = http.request(service, { agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
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

/** The headers as a browser gets them, which `fetch` would not show, and the body as text. */
async function headersOf(service: string, path: string, encoding: string) {
  const request = http.get(service + path, { headers: { accept: '*/*', 'accept-encoding': encoding } });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  const body = await (await fetch(service + path)).text();
  return { headers: response.headers, body };
}
