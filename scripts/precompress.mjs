import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes .br and .gz next to each browser file of a folder, so that the server does not compress per request. */
export async function precompress(folder) {
  const files = readdirSync(folder).filter((file) => /\.(js|css|svg|txt)$/.test(file));
  await Promise.all(files.map((file) => compress(join(folder, file))));
}

async function compress(path) {
  const content = await readFile(path);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Promise.all([
    brotli(content, { params: quality }).then((packed) => writeFile(`${path}.br`, packed)),
    zip(content, { level: constants.Z_BEST_COMPRESSION }).then((packed) => writeFile(`${path}.gz`, packed)),
  ]);
}
