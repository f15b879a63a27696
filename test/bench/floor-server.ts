/* The floor of every request: the same HTTP stack, and nothing behind it. Prints the port it listens on. */
import { Hono } from 'hono';
import { listen } from '../../src/http/server.ts';

const application = new Hono()
  .post('/', async (http) => {
    await http.req.json();
    return http.json({ ok: true });
  })
  .get('/', (http) => http.json({ ok: true }));
const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
process.stdout.write(`${server.port}\n`);
