/*
 * Not every browser driver exposes a page's errors and policy violations. Pages therefore report them themselves: by
 * a script of our origin that runs first, which every policy with scripts allows, and by the browsers' reports of
 * policy violations.
 */
const PATH = '/page-watch';

const script = `
const report = (what) => {
  fetch('${PATH}', { method: 'POST', keepalive: true, body: location.pathname + ': ' + what }).catch(() => {});
};
addEventListener('error', ({ message, target }) => {
  report(message ?? 'not loaded: ' + (target.src ?? target.href));
}, true);
addEventListener('unhandledrejection', ({ reason }) => report('rejected: ' + reason));
for (const level of ['error', 'warn']) {
  const own = console[level];
  console[level] = (...words) => {
    report(level + ': ' + words.join(' '));
    own.apply(console, words);
  };
}
`;

type Fetch<Env extends unknown[]> = (request: Request, ...env: Env) => Response | Promise<Response>;

export interface PageWatch {
  /** Errors of pages since the last call. */
  takeFaults(): string[];
  wrap<Env extends unknown[]>(fetch: Fetch<Env>): Fetch<Env>;
}

export function openPageWatch(): PageWatch {
  const faults: string[] = [];
  return {
    takeFaults: () => faults.splice(0),
    wrap:
      (fetch) =>
      async (request, ...env) => {
        if (new URL(request.url).pathname !== PATH) return await watched(await fetch(uncompressed(request), ...env));
        if (request.method === 'GET') return new Response(script, { headers: { 'content-type': 'text/javascript' } });
        faults.push(await request.text());
        return new Response(null, { status: 204 });
      },
  };
}

/** Without a body: the service reads it from the connection, and copying the request would consume it. */
function uncompressed({ url, method, headers: all }: Request): Request {
  const headers = new Headers(all);
  headers.delete('accept-encoding');
  return new Request(url, { method, headers });
}

async function watched(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  if (!headers.get('content-type')?.startsWith('text/html')) return response;
  const policy = headers.get('content-security-policy');
  const mayRun = policy === null || /script-src[^;]* 'self'/.test(policy);
  if (policy !== null) {
    const mayTell = !mayRun || policy.includes('connect-src');
    headers.set('content-security-policy', `${policy}; report-uri ${PATH}${mayTell ? '' : "; connect-src 'self'"}`);
  }
  const html = await response.text();
  const body = mayRun ? html.replace('<head>', `<head><script src="${PATH}"></script>`) : html;
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}
