/*
 * Measures the cost of masking secrets in log lines of a request and an error, compared with plain pino and pino's own
 * redaction by field.
 *
 *   npm run bench:log
 */
import { pino } from 'pino';
import { createLog, describeError } from '../../src/system/log.ts';

const LINES = 100_000;
const ROUNDS = 3;

let bytes = 0;
const sink = { write: (line: string) => void (bytes += line.length) };
const timestamp = () => `,"time":"${new Date().toISOString()}"`;
const fields = ['authorization', 'card_number', 'card_cvv', 'cvv', 'card', 'token', 'secret'];
const paths = fields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);

const logs = {
  'pino alone': pino({ base: null, timestamp }, sink),
  'pino, fields of three depths': pino({ base: null, timestamp, redact: paths }, sink),
  'as the service logs': createLog('info', sink),
};
const error = new TypeError('connect ECONNREFUSED 127.0.0.1:5432');

for (const [name, log] of Object.entries(logs)) {
  const request = best(LINES, (index) =>
    log.info(
      { requestId: 'req_AbCdEfGh1jKlMnOp', method: 'POST', route: '/p/:linkId', status: 200, durationMs: index % 50 },
      'request',
    ),
  );
  const failure = best(LINES / 10, () => log.error({ error: describeError(error) }, 'request failed'));
  process.stdout.write(
    `${name.padEnd(30)}${show(request)} µs a request (${Math.round(1000 / request)},000 lines/s), ${show(failure)} µs an error\n`,
  );
}

/** Microseconds per line, in the fastest of several rounds. */
function best(count: number, log: (index: number) => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedMs = performance.now();
    for (let index = 0; index < count; index += 1) log(index);
    return ((performance.now() - startedMs) / count) * 1000;
  });
  return Math.min(...rounds);
}

function show(microseconds: number): string {
  return microseconds.toFixed(1).padStart(6);
}
