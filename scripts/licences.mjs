/*
 * The notices that go with what others have made and browsers are given: licences such as MIT and BSD ask for
 * that with every copy. Which packages are in the bundles, their builds have told.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of what was copied in by hand: icons. */
const copied = ['pages/account/LICENCES.txt', 'public/methods/LICENCES.txt'];

const NOTICE_FILE = /^(?:licen[cs]es?|copying|notice)(?:[.-].*)?$/i;
const RULE = `\n\n${'='.repeat(72)}\n\n`;

/** The folders of the packages that modules are of, as they stand in the paths of those. */
export function packagesOf(moduleIds) {
  const folders = new Set();
  for (const id of moduleIds) {
    // The last one: packages may have packages of their own.
    const [, folder] = /^\0?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id.replaceAll('\\', '/')) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort((one, other) => (one < other ? -1 : 1));
}

/**
 * The notices of some packages, each once, with the texts of their licences. Throws where a package holds no text,
 * unless the name of its licence is enough: nothing of ours contains a copy of that package.
 */
export function noticesOf(packageFolders, more = [], { isNameEnough = false } = {}) {
  const told = new Map();
  for (const folder of packageFolders) {
    const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => NOTICE_FILE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).filter((text) => text !== '');
    if (texts.length === 0 && !isNameEnough)
      throw new Error(`${name} ${version} is in what browsers are given, and its package holds no text of a licence`);
    const heading = [`${name} ${version}`, license, homepage].filter((each) => typeof each === 'string').join('\n');
    told.set(`${name} ${version}`, [heading, ...texts].join('\n\n'));
  }
  const packages = [...told].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return `${[...packages, ...more.map((text) => text.trim())].join(RULE)}\n`;
}

/** The folders (`node_modules/…`) of the packages in the built pages of `folder` and in the modules named. */
export function bundledPackages(folder, moduleIds) {
  const modules = readdirSync(join(folder, '.vite'))
    .filter((name) => name.startsWith('modules-'))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')));
  return packagesOf([...modules, ...moduleIds]);
}

/** The notices of these packages and of what was copied in by hand. */
export function gatherNotices(root, bundled) {
  return noticesOf(
    bundled.map((path) => join(root, path)),
    copied.map((path) => readFileSync(join(root, path), 'utf8')),
  );
}
