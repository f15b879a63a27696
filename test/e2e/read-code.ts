import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import type jsQR from 'jsqr';

/**
 * Decodes the QR code in an image with a different library than the one that rendered it. Null if it cannot be read.
 */
export async function readCode(browser: Browser, picture: Buffer): Promise<string | null> {
  const page = await browser.newPage({ javaScriptEnabled: true });
  await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('jsqr')) });
  // Decode in the page: passing a million pixels to the test takes seconds.
  const text = await page.evaluate(async (base64) => {
    const { jsQR: read } = globalThis as unknown as { jsQR: typeof jsQR };
    const response = await fetch(`data:image/png;base64,${base64}`);
    const bitmap = await createImageBitmap(await response.blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const { data, width, height } = context?.getImageData(0, 0, bitmap.width, bitmap.height) ?? new ImageData(1, 1);
    return read(data, width, height)?.data ?? null;
  }, picture.toString('base64'));
  await page.close();
  return text;
}
