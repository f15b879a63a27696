import { createHash } from 'node:crypto';
import { brandColours, hexOf, type Scheme } from '../elements/brand-colours.ts';

/** A merchant's inline style and its CSP source. */
export interface BrandStyle {
  style: string;
  source: string;
}

const styles = new Map<string, BrandStyle>();
const STYLES_KEPT = 1000;

/** Style for a merchant's brand colour (`#rrggbb`). */
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

function variablesFor(colour: string, scheme: Scheme): string {
  const { accent, accentStrong, accentSoft, onAccent } = brandColours(colour, scheme);
  const variables = {
    '--accent': accent,
    '--accent-strong': accentStrong,
    '--on-accent': onAccent,
    '--accent-soft': accentSoft,
    '--focus': accent,
  };
  return Object.entries(variables)
    .map(([name, rgb]) => `${name}:${hexOf(rgb)}`)
    .join(';');
}
