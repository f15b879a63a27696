/** sRGB channels, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Contrast ratio of two opaque colors, 1 to 21 (WCAG 2.2, definition of "contrast ratio"). */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [darker = 0, lighter = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
