import { createHash } from 'node:crypto';
import { contrastOf, type Rgb } from '../elements/contrast.ts';

/** A style of a merchant's own, to stand in the page's HTML, and the policy's source for it. */
export interface BrandStyle {
  style: string;
  source: string;
}

/** What the accent stands on: `--paper`, light and dark. */
const PAPER = { light: [255, 255, 255], dark: [29, 31, 28] } as const;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [12, 12, 12];
/** Parts of controls against what is beside them: WCAG 2.2, success criterion 1.4.11. */
const LEAST_CONTRAST = 3;

const styles = new Map<string, BrandStyle>();
const STYLES_KEPT = 1000;

/**
 * The page in a merchant's colour (`#rrggbb`). The colour moves towards black or white as far as it
 * must to be seen on the page, light and dark; the text on it is the one of both that is read better,
 * which is never below 4.5 to 1.
 */
export function brandStyle(colour: string): BrandStyle {
  const known = styles.get(colour);
  if (known) return known;
  const style = `:root{${variablesFor(colour, 'light')}}@media (prefers-color-scheme:dark){:root{${variablesFor(colour, 'dark')}}}`;
  const hash = createHash('sha256').update(style).digest('base64');
  if (styles.size >= STYLES_KEPT) styles.clear();
  const made = { style, source: `'sha256-${hash}'` };
  styles.set(colour, made);
  return made;
}

function variablesFor(colour: string, scheme: 'light' | 'dark'): string {
  const accent = seenOn(PAPER[scheme], rgbOf(colour), scheme === 'light' ? BLACK : WHITE);
  const text = contrastOf(WHITE, accent) >= contrastOf(BLACK, accent) ? WHITE : BLACK;
  const variables = {
    '--accent': accent,
    '--accent-strong': mix(accent, text === WHITE ? BLACK : WHITE, 0.15),
    '--on-accent': text,
    '--accent-soft': mix(PAPER[scheme], accent, 0.14),
    '--focus': accent,
  };
  return Object.entries(variables)
    .map(([name, rgb]) => `${name}:${hexOf(rgb)}`)
    .join(';');
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

function rgbOf(hex: string): Rgb {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
