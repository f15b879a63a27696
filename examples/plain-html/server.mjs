// Serves the page with its script and style, and the payments endpoint.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { handlePayments, SERVICE_URL, PORT } from '../server.mjs';

const policy = `default-src 'none'; script-src 'self' ${SERVICE_URL}; style-src 'self' ${SERVICE_URL}; frame-src ${SERVICE_URL}; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('%SERVICE_URL%', SERVICE_URL);
const files = {
  '/': ['text/html; charset=utf-8', read('index.html')],
  '/checkout.js': ['text/javascript', read('checkout.js')],
  '/checkout.css': ['text/css', read('checkout.css')],
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  response.setHeader('content-security-policy', policy);
  try {
    if (pathname.startsWith('/payments')) return await handlePayments(request, response);
    const [type, content] = files[pathname] ?? [];
    if (content === undefined) return response.writeHead(404).end();
    return response.setHeader('content-type', type).end(content);
  } catch (error) {
    console.error(error);
    return response.writeHead(502).end('{}');
  }
});
server.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
