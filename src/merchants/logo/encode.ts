import { Worker } from 'node:worker_threads';
import { Problem } from '../../api/problem-error.ts';
import { damagedImage, type ImageFile, readImageFile, rejectedImage } from './image-file.ts';
import type { EncodedImage, WorkerResult } from './image-worker.ts';

/** Pages show logos at 40 pixels, on screens with up to three times the density. The rest is for print. */
const MAX_SIDE = 256;
const TIME_LIMIT_MS = 10_000;
const MAX_WAITING = 8;

export type EncodeLogo = (bytes: Uint8Array) => Promise<EncodedImage>;

/**
 * Decodes uploaded images and encodes their pixels as PNG, so that nothing else from the file is served. Each image has
 * its own worker thread, with time and memory limits, and one image is processed at a time. The decoders are
 * WebAssembly, which cannot access memory outside its own.
 */
export function createLogoEncoder({
  worker,
  timeLimitMs = TIME_LIMIT_MS,
}: {
  /** File of the built `image-worker.ts`. */
  worker: string;
  timeLimitMs?: number;
}): EncodeLogo {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (bytes) => {
    const file = readImageFile(bytes);
    if (waiting >= MAX_WAITING)
      throw new Problem('unavailable', 'Too many images are being processed. Send the request again in a few seconds.');
    waiting += 1;
    const encoded = last.then(async () => await encodeInWorker(worker, file, timeLimitMs));
    last = encoded.catch(() => undefined).finally(() => (waiting -= 1));
    return await encoded;
  };
}

async function encodeInWorker(path: string, file: ImageFile, timeLimitMs: number): Promise<EncodedImage> {
  const worker = new Worker(path, {
    workerData: { file, maxSide: MAX_SIDE },
    // The worker does not need preloaded modules, such as those of a test run.
    execArgv: [],
    // The decoders print warnings about damaged files.
    stdout: true,
    stderr: true,
    // Pixel arrays are allocated outside this heap; the image size limits bound them.
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  const tooSlow = rejectedImage(
    'damaged_image',
    `takes longer than ${timeLimitMs / 1000} s to decode. Export it again`,
  );
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<EncodedImage>((resolve, reject) => {
      timer = setTimeout(() => reject(tooSlow), timeLimitMs);
      worker.on('message', (result: WorkerResult) => (result ? resolve(result) : reject(damagedImage())));
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`The image thread exited with code ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
