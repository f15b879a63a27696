import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const CHUNK_BYTES = 1024 * 1024;

/** Writes a file until the disk is full; returns its path. */
export function fillDisk(folder: string): string {
  const path = join(folder, 'filler');
  const file = openSync(path, 'w');
  let bytes = CHUNK_BYTES;
  const chunk = Buffer.alloc(CHUNK_BYTES);
  while (bytes >= 1)
    try {
      writeSync(file, chunk, 0, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      bytes = Math.floor(bytes / 2);
    }
  closeSync(file);
  return path;
}
