import { type DestinationStream, pino } from 'pino';
import { maskCardNumbers, maskDigits } from './mask.ts';

export type Log = ReturnType<typeof createLog>;

/** Whatever is logged, fields of these names never are: the second line behind never logging bodies at all. */
const secretFields = [
  'authorization',
  'card_number',
  'card_cvv',
  'cardNumber',
  'cvv',
  'card',
  'token',
  'accessToken',
  'clientToken',
  'secret',
  'callbackSecret',
];

/** One JSON line for each thing worth telling, on standard output. Levels as in pino. */
export function createLog(level: string, destination?: DestinationStream) {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '[redacted]' },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error for the log: its kind, message and stack, without anything that could be a card number. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskCardNumbers(String(error)) };
  return { name: error.name, message: maskCardNumbers(error.message), stack: maskCardNumbers(error.stack ?? '') };
}

/** An error that came while a card was in hand: a provider may repeat a security code, so no digit is kept. */
export function describeCardError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: maskDigits(String(error)) };
  return { name: maskDigits(error.name), message: maskDigits(error.message) };
}
