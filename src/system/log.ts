import { type DestinationStream, pino } from 'pino';
import { formatId } from './cell.ts';
import { maskDigits, redact } from './mask.ts';
import { stackOf } from './stack.ts';

export type Log = ReturnType<typeof createLog>;

/**
 * Writes one JSON line per log entry to standard output, with pino's levels. Secrets are masked in the
 * finished line, so no caller can bypass it.
 */
export function createLog(level: string, destination?: DestinationStream) {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { log: formatIds },
    hooks: { streamWrite: maskLine },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Fields with the ID of a record. */
const idFields = ['merchant', 'transaction', 'mail', 'notification'];

function formatIds(fields: Record<string, unknown>): Record<string, unknown> {
  const formatted = { ...fields };
  for (const name of idFields) {
    const id = fields[name];
    if (typeof id === 'number') formatted[name] = formatId(id);
  }
  return formatted;
}

function maskLine(line: string): string {
  return `${JSON.stringify(redact(JSON.parse(line)))}\n`;
}

/** Maximum causes per error, and maximum depth. */
const MAX_CAUSES = 5;

/** Serializes an error for the log: name, code, message, stack and causes. */
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
      depth < MAX_CAUSES && {
        causes: causes.slice(0, MAX_CAUSES).map((cause) => describeError(cause, depth + 1)),
      }),
  };
}

/** Serializes an error raised while card data was in memory. An acquirer may echo a security code, so no digit is kept. */
export function describeCardError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskDigits(String(error)) };
  return { name: maskDigits(error.name), message: maskDigits(error.message) };
}
