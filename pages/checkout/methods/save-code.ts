/** Downloads a QR code as an image. */
export async function saveCode(payload: string): Promise<void> {
  const [{ qrPath }, { renderPng, download }] = await Promise.all([
    import('../elements/qr-path.ts'),
    import('./save-image.ts'),
  ]);
  download(await renderPng(qrPath(payload)), 'payment-code.png');
}
