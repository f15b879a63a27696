/*
 * Collects the license notices of packages bundled for browsers: licenses such as MIT and BSD require them with
 * every copy. The builds report the bundled packages.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Notices of files copied in by hand: icons. */
const copied = ['pages/account/LICENSES.txt', 'public/methods/LICENSES.txt'];

const NOTICE_FILE = /^(?:licen[cs]es?|copying|notice)(?:[.-].*)?$/i;
const RULE = `\n\n${'='.repeat(72)}\n\n`;

/** The package folders in the paths of modules. */
export function packagesOf(moduleIds) {
  const folders = new Set();
  for (const id of moduleIds) {
    // The last match: packages may contain packages.
    const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort((one, other) => (one < other ? -1 : 1));
}

/**
 * The notices of some packages, each once, with their license texts. Throws if a package contains no text, unless
 * `allowMissingText`: for packages of which no copy is distributed.
 */
export function noticesOf(packageFolders, more = [], { allowMissingText = false } = {}) {
  const notices = new Map();
  for (const folder of packageFolders) {
    const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => NOTICE_FILE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).filter((text) => text !== '');
    if (texts.length === 0 && !allowMissingText)
      throw new Error(`${name} ${version} is bundled for browsers, but its package contains no license text`);
    const heading = [`${name} ${version}`, license, homepage].filter((each) => typeof each === 'string').join('\n');
    notices.set(`${name} ${version}`, [heading, ...texts].join('\n\n'));
  }
  const packages = [...notices].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return `${[...packages, ...more.map((text) => text.trim())].join(RULE)}\n`;
}

/** The folders (`node_modules/…`) of the packages in the built pages of `folder` and in the given modules. */
export function bundledPackages(folder, moduleIds) {
  const modules = readdirSync(join(folder, '.vite'))
    .filter((name) => name.startsWith('modules-'))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')));
  return packagesOf([...modules, ...moduleIds]);
}

/** The notices of these packages and of files copied in by hand. */
export function collectNotices(root, bundled) {
  return noticesOf(
    bundled.map((path) => join(root, path)),
    copied.map((path) => readFileSync(join(root, path), 'utf8')),
  );
}
