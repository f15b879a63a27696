import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import encodeJpegPixels, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import decodePngPixels, { init as initPng } from '@jsquash/png/decode.js';
import encodeWebpPixels, { init as initWebp } from '@jsquash/webp/encode.js';

/** Color of a pixel: red, green, blue, opacity. */
export type Paint = (x: number, y: number) => readonly [number, number, number, number];

const green: Paint = () => [31, 95, 74, 255];

const compile = (path: string) =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(`@jsquash/${path}`))));

function pixelsOf(width: number, height: number, paint: Paint = green) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.set(paint(x, y), (y * width + x) * 4);
  return { data, width, height };
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return pngChunk('IHDR', header);
}

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** A PNG file in RGBA; `extra` chunks follow its header. */
export function encodePng(width: number, height: number, paint: Paint = green, extra: readonly Buffer[] = []): Buffer {
  const { data } = pixelsOf(width, height, paint);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), Buffer.from(data.buffer, y * width * 4, width * 4)]),
  );
  const content = pngChunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([pngSignature, pngHeader(width, height), ...extra, content, pngChunk('IEND', new Uint8Array())]);
}

export async function encodeJpeg(width: number, height: number, paint?: Paint): Promise<Buffer> {
  await initJpeg(compile('jpeg/codec/enc/mozjpeg_enc.wasm'));
  return Buffer.from(await encodeJpegPixels(pixelsOf(width, height, paint) as unknown as ImageData));
}

export async function encodeWebp(width: number, height: number, paint?: Paint, lossless = false): Promise<Buffer> {
  await initWebp(compile('webp/codec/enc/webp_enc.wasm'));
  const image = pixelsOf(width, height, paint) as unknown as ImageData;
  return Buffer.from(await encodeWebpPixels(image, { lossless: lossless ? 1 : 0 }));
}

/** Pixels of a PNG file. */
export async function decodePixels(png: Buffer): Promise<{ data: Uint8ClampedArray }> {
  globalThis.ImageData ??= class {
    readonly data: Uint8ClampedArray;
    constructor(data: Uint8ClampedArray) {
      this.data = data.slice();
    }
  } as unknown as typeof ImageData;
  await initPng(compile('png/codec/pkg/squoosh_png_bg.wasm'));
  return await decodePngPixels(Uint8Array.from(png).buffer);
}
