import { contrastOf, type Rgb } from './contrast.ts';

/** Backgrounds of the brand color, `--paper` and `--ground`, light and dark. */
const BACKGROUNDS = {
  light: [
    [255, 255, 255],
    [244, 243, 239],
  ],
  dark: [
    [29, 31, 28],
    [20, 21, 19],
  ],
} as const;
export type Scheme = keyof typeof BACKGROUNDS;
/** The background that buttons have. */
export const PAPER = { light: BACKGROUNDS.light[0], dark: BACKGROUNDS.dark[0] } as const;

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Minimum contrast of controls against adjacent colors: WCAG 2.2, success criterion 1.4.11. */
const MIN_CONTRAST = 3;

/** Colors derived from a merchant's brand color. */
export interface BrandColors {
  /** The brand color itself, for filled areas such as buttons. */
  accent: Rgb;
  accentStrong: Rgb;
  accentSoft: Rgb;
  /** Edges, lines and the focus ring: the brand color, or a darker or lighter one that is visible on the page. */
  accentEdge: Rgb;
  /** Text on the brand color. */
  onAccent: Rgb;
}

/**
 * Keeps a merchant's color (`#rrggbb`) as chosen and adjusts the colors around it. Text on it is black or white,
 * whichever has more contrast: never below 4.5:1. An edge of at least 3:1 outlines it on every background.
 */
export function brandColors(color: string, scheme: Scheme): BrandColors {
  const accent = parseHex(color);
  const onAccent = contrastOf(WHITE, accent) >= contrastOf(BLACK, accent) ? WHITE : BLACK;
  return {
    accent,
    accentStrong: mix(accent, onAccent === WHITE ? BLACK : WHITE, 0.15),
    accentSoft: mix(PAPER[scheme], accent, 0.14),
    accentEdge: visibleColor(accent, scheme),
    onAccent,
  };
}

function visibleColor(color: Rgb, scheme: Scheme): Rgb {
  const target = scheme === 'light' ? BLACK : WHITE;
  const isVisible = (mixed: Rgb) => BACKGROUNDS[scheme].every((each) => contrastOf(mixed, each) >= MIN_CONTRAST);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, target, share);
    if (isVisible(mixed)) return mixed;
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
