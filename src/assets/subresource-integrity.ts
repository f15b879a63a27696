import { createHash } from 'node:crypto';

/** The `integrity` attribute for a file's content. */
export function integrityOf(content: Uint8Array | string, algorithm = 'sha384'): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

/**
 * Checks that an `integrity` attribute allows this content and no other. A browser accepts any of several hashes of
 * the same strength, so all of them must match.
 */
export function checkIntegrity(attribute: string | null, content: Uint8Array): 'right' | 'wrong' | 'missing' {
  const pins = (attribute ?? '').split(/\s+/).filter((pin) => /^sha(?:256|384|512)-/.test(pin));
  if (pins.length === 0) return 'missing';
  const isMatch = (pin: string) => integrityOf(content, pin.slice(0, 6)) === pin.split('?', 1)[0];
  return pins.every(isMatch) ? 'right' : 'wrong';
}
