import type { Browser } from '@playwright/test';
import jsQR from 'jsqr';

/** What a QR code in a picture says, to somebody who knows nothing of who drew it; null when it cannot be read. */
export async function readCode(browser: Browser, picture: Buffer): Promise<string | null> {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(async (base64) => {
    const response = await fetch(`data:image/png;base64,${base64}`);
    const bitmap = await createImageBitmap(await response.blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const pixels = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    return { width: bitmap.width, height: bitmap.height, data: [...pixels] };
  }, picture.toString('base64'));
  await page.close();
  return jsQR(Uint8ClampedArray.from(data), width, height)?.data ?? null;
}
