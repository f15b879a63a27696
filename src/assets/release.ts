/*
 * Map of this module: `release.ts` loads the built files for merchants' pages, and `widget-routes.ts` serves them with
 * their integrity list. `file-routes.ts` serves the files of our own pages. Reasons: docs/decisions/embedding.md.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { integrityList, type IntegrityList, buyerPages } from '../api/integrity.ts';

/** A released file in all its content encodings. */
export interface ReleasedFile {
  contentType: string;
  etag: string;
  encodings: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** The built files for merchants' pages, and the integrity list of all scripts and styles. */
export interface Release {
  version: string;
  files: ReadonlyMap<string, ReleasedFile>;
  /** With URLs below `publicUrl`. */
  integrity(options: { publicUrl: string; sandbox: boolean }): IntegrityList;
}

const published = integrityList.shape.files.element;

/** The inventory written by the build, with paths instead of URLs. */
const inventory = z.object({
  version: z.string(),
  files: z.array(
    published.omit({ url: true }).extend({
      path: z.string().nullable(),
      sandbox_only: z.boolean(),
      runs_on: z.enum([...buyerPages, 'reference', 'account']),
    }),
  ),
});

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Loads the build output from `dist`. */
export function loadRelease(dist: string): Release {
  const { version, files } = inventory.parse(JSON.parse(readFileSync(join(dist, 'inventory.json'), 'utf8')));
  const folder = join(dist, 'widget');
  const names = readdirSync(folder).filter((name) => Object.hasOwn(contentTypes, extname(name)));
  return {
    version,
    files: new Map(names.map((name) => [name, readReleasedFile(folder, name)])),
    integrity: ({ publicUrl, sandbox }) => ({
      version,
      files: files
        .filter(({ sandbox_only }) => sandbox || !sandbox_only)
        .flatMap(({ path, kind, integrity, bytes, runs_on, purpose }) =>
          // The list covers payment pages only.
          runs_on === 'reference' || runs_on === 'account'
            ? []
            : [{ url: path === null ? null : publicUrl + path, kind, integrity, bytes, runs_on, purpose }],
        ),
    }),
  };
}

function readReleasedFile(folder: string, name: string): ReleasedFile {
  const read = (suffix: string) => new Uint8Array(readFileSync(join(folder, name + suffix)));
  const encodings = new Map([['identity', read('')]]);
  for (const [encoding, suffix] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    if (existsSync(join(folder, name + suffix))) encodings.set(encoding, read(suffix));
  }
  return { contentType: contentTypes[extname(name)] ?? '', etag: etagOf(read('')), encodings };
}

export function etagOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 27);
}
