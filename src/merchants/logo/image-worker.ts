import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPng } from '@jsquash/png/decode.js';
import encodePng from '@jsquash/png/encode.js';
import decodeWebp, { init as initWebp } from '@jsquash/webp/decode.js';
import type { ImageFile } from './image-file.ts';
import { fitWithin, type Pixels } from './resize.ts';

/** The re-encoded image. */
export interface EncodedImage {
  png: Uint8Array;
  width: number;
  height: number;
}

/** Message from the worker; null if the image cannot be decoded. */
export type WorkerResult = EncodedImage | null;

// The decoders construct `ImageData`. This one copies the data, because they pass a view of their memory.
globalThis.ImageData ??= class {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height = data.length / 4 / width) {
    this.data = data.slice();
    this.width = width;
    this.height = height;
  }
} as unknown as typeof ImageData;

// The encoder's loader checks `instanceof Response`, which would load Node's HTTP client: half of the total time for a
// small image.
Object.defineProperty(globalThis, 'Response', { value: undefined });

const compile = (path: string) =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(`@jsquash/${path}`))));

const decoders: Record<ImageFile['format'], (bytes: ArrayBuffer) => Promise<Pixels>> = {
  async png(bytes) {
    return await decodePng(bytes);
  },
  async jpeg(bytes) {
    await initJpeg(compile('jpeg/codec/dec/mozjpeg_dec.wasm'));
    return await decodeJpeg(bytes, { preserveOrientation: true });
  },
  async webp(bytes) {
    await initWebp(compile('webp/codec/dec/webp_dec.wasm'));
    return await decodeWebp(bytes);
  },
};

async function encode({ file, maxSide }: { file: ImageFile; maxSide: number }): Promise<WorkerResult> {
  await initPng(compile('png/codec/pkg/squoosh_png_bg.wasm'));
  try {
    const { bytes, format } = file;
    const image = fitWithin(await decoders[format](Uint8Array.from(bytes).buffer), maxSide);
    const png = new Uint8Array(await encodePng(image as ImageData));
    return { png, width: image.width, height: image.height };
  } catch {
    return null;
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await encode(workerData as Parameters<typeof encode>[0]));
