import { type DestinationStream, pino } from 'pino';
import { maskDigits, redact } from './mask.ts';
import { stackOf } from './stack.ts';

export type Log = ReturnType<typeof createLog>;

/**
 * One JSON line for each thing worth telling, on standard output. Levels as in pino. Whatever was
 * logged and however, each line loses what is secret as the last thing that happens to it.
 */
export function createLog(level: string, destination?: DestinationStream) {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    hooks: { streamWrite: withoutSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** A line of the log as it may be written. */
function withoutSecrets(line: string): string {
  return `${JSON.stringify(redact(JSON.parse(line)))}\n`;
}

/** How many causes of causes are told. */
const MOST_CAUSES = 5;

/** An error for the log: its kind, code, message and stack, and what caused it. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  const causes = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    message: error.message,
    stack: stackOf(error),
    ...(causes.length > 0 &&
      depth < MOST_CAUSES && {
        causes: causes.slice(0, MOST_CAUSES).map((cause) => describeError(cause, depth + 1)),
      }),
  };
}

/** An error that came while a card was in hand: a provider may repeat a security code, so no digit is kept. */
export function describeCardError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskDigits(String(error)) };
  return { name: maskDigits(error.name), message: maskDigits(error.message) };
}
