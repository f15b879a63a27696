import { iso31661Alpha2ToAlpha3 } from 'iso-3166/1-a2-to-1-a3.js';
import { iso31661Alpha3ToAlpha2 } from 'iso-3166/1-a3-to-1-a2.js';

export interface Country {
  alpha2: string;
  alpha3: string;
}

/** ISO 3166-1. */
export const countries: readonly Country[] = Object.entries(iso31661Alpha2ToAlpha3).map(([alpha2, alpha3]) => ({
  alpha2,
  alpha3,
}));

/** Alpha-2 code of an alpha-2 or alpha-3 code in any case; null if unknown. */
export function alpha2Of(code: string): string | null {
  const upper = code.toUpperCase();
  return Object.hasOwn(iso31661Alpha2ToAlpha3, upper) ? upper : (iso31661Alpha3ToAlpha2[upper] ?? null);
}

/** The flag as two regional indicators; systems without flags show the two letters. */
export function flagEmoji(alpha2: string): string {
  return String.fromCodePoint(...[...alpha2].map((letter) => 0x1_f1_e6 + letter.charCodeAt(0) - 65));
}

/** Alpha-3 code of the region in the browser's language; empty if it has none. */
export function likelyCountry(language: string): string {
  try {
    return iso31661Alpha2ToAlpha3[new Intl.Locale(language).region ?? ''] ?? '';
  } catch {
    return '';
  }
}
