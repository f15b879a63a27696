/* The lower bound of every request: the same HTTP stack with an empty handler. Prints its port. */
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
