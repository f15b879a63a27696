import type { QrPath } from '../elements/qr-path.ts';

/** Pixels per module: sharp on any screen, and large enough for QR readers. */
const PIXELS_PER_MODULE = 12;

/** Renders the code with its quiet zone as a PNG, which banking apps can read from the photo library. */
export async function renderPng({ size, d }: QrPath): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * PIXELS_PER_MODULE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no 2D canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(PIXELS_PER_MODULE, PIXELS_PER_MODULE);
  context.fillStyle = '#000';
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, not an array
  context.fill(new Path2D(d));
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The canvas could not be encoded as PNG'));
    }, 'image/png');
  });
}

/** Downloads a file. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads the URL after the click was handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
