import type { QrPath } from '../elements/qr-path.ts';

/** Pixels for a module: sharp on any screen, and large enough for what reads codes out of pictures. */
const SCALE = 12;

/** The code as a PNG, quiet zone included: what banking apps take out of a phone's pictures. */
export async function picture({ size, d }: QrPath): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * SCALE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no pictures');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(SCALE, SCALE);
  context.fillStyle = '#000';
  // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a canvas, no array
  context.fill(new Path2D(d));
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The picture could not be made'));
    }, 'image/png');
  });
}

/** Gives a file to the buyer, as a download. */
export function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads the address after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
