// @ts-check

/** WCAG 2.2, definition of "contrast ratio". @param {string} a @param {string} b */
export function contrastOf(a, b) {
  const [lighter = 0, darker = 0] = [luminanceOf(a), luminanceOf(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

/** @param {string} color `#rrggbb` */
function luminanceOf(color) {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
