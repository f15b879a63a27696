import { brandColors, formatHex } from '../../checkout/elements/brand-colors.ts';

/** The merchant's name, color and logo on payment pages. */
export interface Brand {
  name: string;
  /** `#rrggbb`; null for the default. */
  color: string | null;
  /** Path of the uploaded logo; null without one. */
  logo: string | null;
}

/** Used until the brand is loaded. */
export const noBrand: Brand = { name: '', color: null, logo: null };

/** Sets the custom properties of the brand color: itself, its edge on a light background, and text on it. */
export function setBrandColors({ style }: HTMLElement, color: string | null): void {
  const colors = color !== null && /^#[\da-f]{6}$/i.test(color) ? brandColors(color, 'light') : null;
  for (const [name, rgb] of [
    ['--brand-accent', colors?.accent],
    ['--brand-edge', colors?.accentEdge],
    ['--brand-on-accent', colors?.onAccent],
  ] as const) {
    if (rgb) style.setProperty(name, formatHex(rgb));
    else style.removeProperty(name);
  }
}
