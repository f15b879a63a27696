import qrcode from 'qrcode';

export interface QrPath {
  /** Side length in modules, including the quiet zone. */
  size: number;
  /** The dark modules as one SVG path. */
  d: string;
}

/** ISO/IEC 18004 requires four light modules around the symbol. */
const QUIET_ZONE = 4;

/** Returns the QR code of `text` as a path, which needs neither styles nor images. */
export function qrPath(text: string): QrPath {
  const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  let d = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!modules.get(y, x)) continue;
      let end = x + 1;
      while (end < size && modules.get(y, end)) end++;
      d += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${end - x}v1h-${end - x}z`;
      x = end;
    }
  }
  return { size: size + 2 * QUIET_ZONE, d };
}
