import type { NamedMethod } from '../../../src/api/page-state.ts';
import type { I18n } from './i18n.ts';

/** Display name of a method. A code without a translation is shown with spaces and a capital letter. */
export function methodName({ code, brand }: NamedMethod, i18n: I18n): string {
  if (brand !== null) return brand;
  return i18n.has(`methods.${code}`) ? i18n.text(`methods.${code}`) : humanize(code);
}

function humanize(code: string): string {
  const spaced = code.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
