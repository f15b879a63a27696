import { raw } from 'hono/html';

const drawing = `<svg viewBox="0 0 320 260" role="img" aria-label="A blue kettle">
<ellipse cx="160" cy="238" rx="112" ry="10" fill="#000" opacity=".12"/>
<path d="M92 110C92 44 228 44 228 110" fill="none" stroke="currentColor" stroke-width="12" stroke-linecap="round"/>
<path d="M222 152c26-2 30-44 58-50l8 14c-16 12-18 58-60 76z" fill="#2a64ad"/>
<path d="M84 128h152c10 0 16 8 17 18l7 68c2 14-8 24-22 24H82c-14 0-24-10-22-24l7-68c1-10 7-18 17-18z" fill="#3a7bcb"/>
<path d="M84 128h22c-10 0-14 8-15 18l-7 68c-2 14 4 24 14 24H82c-14 0-24-10-22-24l7-68c1-10 7-18 17-18z" fill="#5b97df"/>
<path d="M104 128c4-22 108-22 112 0z" fill="#2a64ad"/>
<circle cx="160" cy="104" r="9" fill="currentColor"/>
<path d="M62 206h196l2 12c1 12-9 20-22 20H82c-13 0-23-8-22-20z" fill="#1f4f8d" opacity=".55"/>
</svg>`;

export const kettle = raw(drawing);

/** The kettle as an image file, which the payment page shows next to the item. */
export const kettleFile = drawing
  .replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"')
  .replaceAll('currentColor', '#1c2733');
