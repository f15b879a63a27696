import { createHash } from 'node:crypto';
import { brandColours, formatHex, type Scheme } from '../elements/brand-colours.ts';

/** A merchant's inline style and its CSP source. */
export interface BrandStyle {
  style: string;
  source: string;
}

const cachedStyles = new Map<string, BrandStyle>();
const MAX_CACHED_STYLES = 1000;

/** Style for a merchant's brand colour (`#rrggbb`). */
export function brandStyle(colour: string): BrandStyle {
  const cached = cachedStyles.get(colour);
  if (cached) return cached;
  const style = `:root{${brandVariables(colour, 'light')}}@media (prefers-color-scheme:dark){:root{${brandVariables(colour, 'dark')}}}`;
  const hash = createHash('sha256').update(style).digest('base64');
  if (cachedStyles.size >= MAX_CACHED_STYLES) cachedStyles.clear();
  const created = { style, source: `'sha256-${hash}'` };
  cachedStyles.set(colour, created);
  return created;
}

function brandVariables(colour: string, scheme: Scheme): string {
  const { accent, accentStrong, accentSoft, accentEdge, onAccent } = brandColours(colour, scheme);
  const variables = {
    '--accent': accent,
    '--accent-strong': accentStrong,
    '--on-accent': onAccent,
    '--accent-soft': accentSoft,
    '--accent-edge': accentEdge,
    '--focus': accentEdge,
  };
  return Object.entries(variables)
    .map(([name, rgb]) => `${name}:${formatHex(rgb)}`)
    .join(';');
}
