import { validationProblem, type Problem } from '../../api/problem-error.ts';
import { LOGO_LIMITS } from '../../shared/logo-limits.ts';

/** An image file whose declared size is within the limits. */
export interface ImageFile {
  format: 'png' | 'jpeg' | 'webp';
  bytes: Uint8Array;
}

/**
 * Reads the headers of an image file, before anything is decoded: its format and all sizes that it declares. Throws a
 * problem for other files, animated WebP, and images with too many pixels.
 */
export function readImageFile(bytes: Uint8Array): ImageFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (file.subarray(0, 8).equals(PNG_SIGNATURE)) return { format: 'png', bytes: essentialPng(file) };
    if (file.readUInt16BE(0) === 0xff_d8) return readJpeg(file);
    if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return readWebp(file);
  } catch (error) {
    // A read beyond the end of the file.
    if (error instanceof RangeError) throw damagedImage();
    throw error;
  }
  throw rejectedImage('unsupported_image', 'must be a PNG, JPEG or WebP image. Export an SVG as PNG');
}

export function rejectedImage(code: string, detail: string): Problem {
  return validationProblem([{ pointer: '/image', code, detail }]);
}

export function damagedImage(): Problem {
  return rejectedImage('damaged_image', 'is damaged or incomplete. Export the image again');
}

function requireSize(width: number, height: number): void {
  const { side, pixels } = LOGO_LIMITS;
  if (width < 1 || height < 1) throw damagedImage();
  if (width <= side && height <= side && width * height <= pixels) return;
  throw rejectedImage(
    'too_many_pixels',
    `must have at most ${side} pixels on each side and ${pixels} in total; it has ${width} × ${height}`,
  );
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PNG_HEADER_BYTES = 13;
const essentialChunks = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

/**
 * Returns a PNG file with only the chunks that its pixels need. Others contain metadata and animations, and can be
 * compressed to a small part of their size.
 */
function essentialPng(file: Buffer): Buffer {
  const parts: Buffer[] = [PNG_SIGNATURE];
  for (let start = PNG_SIGNATURE.length; ; ) {
    const length = file.readUInt32BE(start);
    const type = file.toString('latin1', start + 4, start + 8);
    const end = start + 12 + length;
    if (end > file.length || (type === 'IHDR') !== (parts.length === 1)) throw damagedImage();
    if (type === 'IHDR') {
      if (length !== PNG_HEADER_BYTES) throw damagedImage();
      requireSize(file.readUInt32BE(start + 8), file.readUInt32BE(start + 12));
    }
    if (essentialChunks.includes(type)) parts.push(file.subarray(start, end));
    if (type === 'IEND') return Buffer.concat(parts);
    start = end;
  }
}

/** Start of frame: baseline, progressive, and the rare others; not DHT, JPG or DAC. */
const isFrameMarker = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const START_OF_SCAN = 0xda;
const CMYK_COMPONENTS = 4;

/** The decoder rejects a second frame header, so the one before the first scan determines the image's size. */
function readJpeg(file: Buffer): ImageFile {
  let hasSize = false;
  for (let start = 2; ; ) {
    if (file.readUInt8(start) !== 0xff) throw damagedImage();
    const marker = file.readUInt8(start + 1);
    if (marker === 0xff) {
      start += 1;
      continue;
    }
    // Decoders skip markers without a length differently.
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd9)) throw damagedImage();
    if (isFrameMarker(marker)) {
      if (hasSize) throw damagedImage();
      requireSize(file.readUInt16BE(start + 7), file.readUInt16BE(start + 5));
      if (file.readUInt8(start + 9) === CMYK_COMPONENTS)
        throw rejectedImage('unsupported_image', 'must have RGB colors instead of CMYK');
      hasSize = true;
    }
    if (marker === START_OF_SCAN) {
      if (!hasSize) throw damagedImage();
      return { format: 'jpeg', bytes: file };
    }
    start += 2 + file.readUInt16BE(start + 2);
  }
}

const WEBP_ANIMATION_FLAG = 0x02;

/** Checks the canvas and the image, which the decoder requires to be equal. */
function readWebp(file: Buffer): ImageFile {
  let hasImage = false;
  for (let start = 12; start < file.length; ) {
    const type = file.toString('latin1', start, start + 4);
    const length = file.readUInt32LE(start + 4);
    const data = start + 8;
    if (type === 'VP8X') {
      if (file.readUInt8(data) & WEBP_ANIMATION_FLAG) throw animatedImage();
      requireSize(1 + file.readUIntLE(data + 4, 3), 1 + file.readUIntLE(data + 7, 3));
    } else if (type === 'VP8 ') {
      requireSize(file.readUInt16LE(data + 6) & 0x3fff, file.readUInt16LE(data + 8) & 0x3fff);
      hasImage = true;
    } else if (type === 'VP8L') {
      const bits = file.readUInt32LE(data + 1);
      requireSize(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
      hasImage = true;
    } else if (type === 'ANIM' || type === 'ANMF') throw animatedImage();
    // The decoder reads an unknown first chunk as an image.
    else if (start === 12) throw damagedImage();
    if (hasImage) return { format: 'webp', bytes: file };
    start = data + length + (length % 2);
  }
  throw damagedImage();
}

function animatedImage(): Problem {
  return rejectedImage('animated_image', 'must not be animated. Upload a single image');
}
