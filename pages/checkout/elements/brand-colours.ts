import { contrastOf, type Rgb } from './contrast.ts';

/** Background of the accent colour: `--paper`, light and dark. */
export const PAPER = { light: [255, 255, 255], dark: [29, 31, 28] } as const;
export type Scheme = keyof typeof PAPER;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [12, 12, 12];
/** Minimum for parts of controls against their surroundings: WCAG 2.2, success criterion 1.4.11. */
const MIN_CONTRAST = 3;

/** Colours derived from a merchant's brand colour. */
export interface BrandColours {
  accent: Rgb;
  accentStrong: Rgb;
  accentSoft: Rgb;
  /** Text on the accent colour. */
  onAccent: Rgb;
}

/**
 * Mixes a merchant's colour (`#rrggbb`) with black or white until it is visible on the page. Text on it is black or
 * white, whichever has more contrast: never below 4.5:1.
 */
export function brandColours(colour: string, scheme: Scheme): BrandColours {
  const accent = ensureContrast(PAPER[scheme], parseHex(colour), scheme === 'light' ? BLACK : WHITE);
  const onAccent = contrastOf(WHITE, accent) >= contrastOf(BLACK, accent) ? WHITE : BLACK;
  return {
    accent,
    accentStrong: mix(accent, onAccent === WHITE ? BLACK : WHITE, 0.15),
    accentSoft: mix(PAPER[scheme], accent, 0.14),
    onAccent,
  };
}

function ensureContrast(background: Rgb, colour: Rgb, target: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, target, share);
    if (contrastOf(mixed, background) >= MIN_CONTRAST) return mixed;
  }
  return target;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

export function parseHex(hex: string): Rgb {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

export function formatHex(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
