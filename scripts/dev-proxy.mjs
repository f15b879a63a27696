// Forwards requests of the development server to the service, and adds Vite's client to its pages.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const UNAVAILABLE = 'The service is not running: see the terminal. It starts again after the next change.\n';

/** Forwards a request once `readPort` resolves: requests wait while the service restarts. */
export async function forward(request, response, readPort) {
  try {
    const port = await readPort();
    if (port === null) throw new Error('The service did not start');
    const { method, url: path, headers } = request;
    // Pages are modified by the proxy, so they are requested uncompressed.
    const { 'accept-encoding': _encoding, ...forwarded } = headers;
    const outgoing = httpRequest({ host: '127.0.0.1', port, method, path, headers: forwarded, agent: false });
    // Ends streams of closed pages.
    response.on('close', () => outgoing.destroy());
    request.pipe(outgoing);
    const [incoming] = await once(outgoing, 'response');
    await respond(incoming, response);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1' }).end(UNAVAILABLE);
  }
}

async function respond(incoming, response) {
  // The connection to the browser outlives restarts.
  const { connection: _connection, 'keep-alive': _keepAlive, ...headers } = incoming.headers;
  if (!headers['content-type']?.startsWith('text/html')) {
    response.writeHead(incoming.statusCode, headers);
    response.flushHeaders();
    await pipeline(incoming, response);
    return;
  }
  const page = developmentPage(await text(incoming), headers['content-security-policy'] ?? '');
  response.writeHead(incoming.statusCode, {
    ...headers,
    'content-length': Buffer.byteLength(page.html),
    'content-security-policy': page.policy,
  });
  response.end(page.html);
}

/** Links the styles instead of importing them, so that Vite can update them, and adds Vite's client. */
function developmentPage(html, policy) {
  const linked = html.replaceAll(/<style>@import "([^"]+)";<\/style>/g, '<link rel="stylesheet" href="$1">');
  // Vite's client is not added to pages that run no scripts of ours.
  if (!policy.includes("script-src 'self'")) return { html: linked, policy };
  // The nonce is for the styles of Vite's error message.
  const nonce = randomBytes(16).toString('base64');
  const client = `<meta property="csp-nonce" nonce="${nonce}"><script type="module" src="/@vite/client"></script>`;
  return {
    html: linked.replace('</head>', `${client}</head>`),
    policy: policy.replace(/style-src [^;]*/, `$& 'nonce-${nonce}'`),
  };
}
