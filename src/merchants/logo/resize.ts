/** An image in RGBA with 8 bits each, row by row. */
export interface Pixels {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Shrinks an image to at most `maxSide` pixels on each side. Each pixel is the average of the area that it covers. */
export function fitWithin(image: Pixels, maxSide: number): Pixels {
  const scale = maxSide / Math.max(image.width, image.height);
  if (scale >= 1) return image;
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const columns = spans(image.width, width);
  const data = new Uint8ClampedArray(width * height * 4);
  for (const [y, rows] of spans(image.height, height).entries())
    for (const [x, span] of columns.entries()) data.set(average(image, span, rows), (y * width + x) * 4);
  return { data, width, height };
}

/** First and last source index of each target index, and the share of each that it covers. */
interface Span {
  first: number;
  weights: readonly number[];
}

function spans(source: number, target: number): Span[] {
  const ratio = source / target;
  return Array.from({ length: target }, (_, index) => {
    const [start, end] = [index * ratio, (index + 1) * ratio];
    const first = Math.floor(start);
    const last = Math.min(source, Math.ceil(end)) - 1;
    const weights = Array.from(
      { length: last - first + 1 },
      (_, offset) => Math.min(end, first + offset + 1) - Math.max(start, first + offset),
    );
    return { first, weights };
  });
}

/** Weights colors by opacity, so that transparent pixels do not tint edges. */
function average({ data, width }: Pixels, columns: Span, rows: Span): [number, number, number, number] {
  let [red, green, blue, alpha, area] = [0, 0, 0, 0, 0];
  for (let row = 0; row < rows.weights.length; row += 1) {
    const rowWeight = rows.weights[row] ?? 0;
    for (let column = 0; column < columns.weights.length; column += 1) {
      const offset = ((rows.first + row) * width + columns.first + column) * 4;
      const weight = rowWeight * (columns.weights[column] ?? 0);
      const opacity = weight * (data[offset + 3] ?? 0);
      red += opacity * (data[offset] ?? 0);
      green += opacity * (data[offset + 1] ?? 0);
      blue += opacity * (data[offset + 2] ?? 0);
      alpha += opacity;
      area += weight;
    }
  }
  return alpha === 0 ? [0, 0, 0, 0] : [red / alpha, green / alpha, blue / alpha, alpha / area];
}
