import { createHash } from 'node:crypto';
import { brandColors, formatHex, type Scheme } from '../elements/brand-colors.ts';

/** A merchant's inline style and its CSP source. */
export interface BrandStyle {
  style: string;
  source: string;
}

const cachedStyles = new Map<string, BrandStyle>();
const MAX_CACHED_STYLES = 1000;

/** Style for a merchant's brand color (`#rrggbb`). */
export function brandStyle(color: string): BrandStyle {
  const cached = cachedStyles.get(color);
  if (cached) return cached;
  const style = `:root{${brandVariables(color, 'light')}}@media (prefers-color-scheme:dark){:root{${brandVariables(color, 'dark')}}}`;
  if (cachedStyles.size >= MAX_CACHED_STYLES) cachedStyles.clear();
  const created = withSource(style);
  cachedStyles.set(color, created);
  return created;
}

/** Style for a preview in one scheme, regardless of the browser's preference. */
export function schemeStyle(color: string | null, scheme: Scheme): BrandStyle {
  const isLight = scheme === 'light';
  // The switch to which the build compiles `light-dark()` for older browsers; the style sheet sets it by media query.
  const compiled = `--lightningcss-light:${isLight ? 'initial' : ' '};--lightningcss-dark:${isLight ? ' ' : 'initial'};`;
  const brand = color === null ? '' : brandVariables(color, scheme);
  return withSource(`:root:root{color-scheme:${scheme};${compiled}${brand}}`);
}

function withSource(style: string): BrandStyle {
  return { style, source: `'sha256-${createHash('sha256').update(style).digest('base64')}'` };
}

function brandVariables(color: string, scheme: Scheme): string {
  const { accent, accentStrong, accentSoft, accentEdge, onAccent } = brandColors(color, scheme);
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
