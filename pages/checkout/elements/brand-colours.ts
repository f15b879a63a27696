import { contrastOf, type Rgb } from './contrast.ts';

/** What the accent stands on: `--paper`, light and dark. */
export const PAPER = { light: [255, 255, 255], dark: [29, 31, 28] } as const;
export type Scheme = keyof typeof PAPER;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [12, 12, 12];
/** Parts of controls against what is beside them: WCAG 2.2, success criterion 1.4.11. */
const LEAST_CONTRAST = 3;

/** What becomes of a merchant's colour. */
export interface BrandColours {
  accent: Rgb;
  accentStrong: Rgb;
  accentSoft: Rgb;
  /** The text on it. */
  onAccent: Rgb;
}

/**
 * A merchant's colour (`#rrggbb`) moves towards black or white as far as it must to be seen on the page; the
 * text on it is the one of both that is read better, which is never below 4.5 to 1.
 */
export function brandColours(colour: string, scheme: Scheme): BrandColours {
  const accent = seenOn(PAPER[scheme], rgbOf(colour), scheme === 'light' ? BLACK : WHITE);
  const onAccent = contrastOf(WHITE, accent) >= contrastOf(BLACK, accent) ? WHITE : BLACK;
  return {
    accent,
    accentStrong: mix(accent, onAccent === WHITE ? BLACK : WHITE, 0.15),
    accentSoft: mix(PAPER[scheme], accent, 0.14),
    onAccent,
  };
}

function seenOn(paper: Rgb, colour: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const moved = mix(colour, towards, share);
    if (contrastOf(moved, paper) >= LEAST_CONTRAST) return moved;
  }
  return towards;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

export function rgbOf(hex: string): Rgb {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

export function hexOf(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
