import { createHash } from 'node:crypto';

/** The value of an `integrity` attribute for these bytes. */
export function integrityOf(content: Uint8Array | string, algorithm = 'sha384'): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

/**
 * Whether an `integrity` attribute lets a browser run these bytes and no others. One that lists
 * several hashes of the same strength lets each of them run, so that all must be right.
 */
export function judgePin(attribute: string | null, content: Uint8Array): 'right' | 'wrong' | 'missing' {
  const pins = (attribute ?? '').split(/\s+/).filter((pin) => /^sha(?:256|384|512)-/.test(pin));
  if (pins.length === 0) return 'missing';
  const isRight = (pin: string) => integrityOf(content, pin.slice(0, 6)) === pin.split('?', 1)[0];
  return pins.every(isRight) ? 'right' : 'wrong';
}
