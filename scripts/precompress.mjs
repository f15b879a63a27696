import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Writes .br and .gz next to each browser file of a folder, so that the server does not compress per request. */
export async function precompress(folder) {
  const files = readdirSync(folder).filter((file) => /\.(js|css|svg|txt)$/.test(file));
  await Promise.all(files.map((file) => compress(join(folder, file))));
}

async function compress(path) {
  const content = await readFile(path);
  const quality = { [zlib.constants.BROTLI_PARAM_QUALITY]: zlib.constants.BROTLI_MAX_QUALITY };
  await Promise.all([
    brotli(content, { params: quality }).then((compressed) => writeFile(`${path}.br`, compressed)),
    gzip(content, { level: zlib.constants.Z_BEST_COMPRESSION }).then((compressed) =>
      writeFile(`${path}.gz`, compressed),
    ),
  ]);
}
