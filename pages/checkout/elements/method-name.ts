import type { NamedMethod } from '../../../src/api/page-state.ts';
import type { Wording } from './text.ts';

/** A method's name for people; a code newer than the texts is shown in plain letters. */
export function methodName({ code, brand }: NamedMethod, words: Wording): string {
  if (brand !== null) return brand;
  return words.has(`methods.${code}`) ? words.text(`methods.${code}`) : inPlainLetters(code);
}

function inPlainLetters(code: string): string {
  const spaced = code.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
