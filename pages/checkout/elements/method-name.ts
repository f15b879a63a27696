import type { NamedMethod } from '../../../src/api/page-state.ts';
import type { Wording } from './text.ts';

/** Display name of a method. A code that has no text yet is shown with spaces and a capital. */
export function methodName({ code, brand }: NamedMethod, words: Wording): string {
  if (brand !== null) return brand;
  return words.has(`methods.${code}`) ? words.text(`methods.${code}`) : humanize(code);
}

function humanize(code: string): string {
  const spaced = code.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
