import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Writes .br and .gz beside each file of a folder that a browser loads, so that the server compresses nothing while it answers. */
export function precompress(folder) {
  for (const file of readdirSync(folder)) {
    if (!/\.(js|css|svg|txt)$/.test(file)) continue;
    const path = join(folder, file);
    const content = readFileSync(path);
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: quality }));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
  }
}
