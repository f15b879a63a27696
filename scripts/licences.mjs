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

/** What is to be told of some packages, each once; throws where one has no licence to tell. */
export function noticesOf(packageFolders, more = []) {
  const told = new Map();
  for (const folder of packageFolders) {
    const { name, version, license, homepage } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = readdirSync(folder).filter((file) => NOTICE_FILE.test(file));
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).filter((text) => text !== '');
    if (texts.length === 0)
      throw new Error(`${name} ${version} is in what browsers are given, and its package holds no text of a licence`);
    const heading = [`${name} ${version}`, license, homepage].filter((each) => typeof each === 'string').join('\n');
    told.set(`${name} ${version}`, [heading, ...texts].join('\n\n'));
  }
  const packages = [...told].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return `${[...packages, ...more.map((text) => text.trim())].join(RULE)}\n`;
}

/** The notices of everything that the pages in `folder` and the modules named consist of. */
export function gatherNotices(root, folder, moduleIds) {
  const modules = readdirSync(join(folder, '.vite'))
    .filter((name) => name.startsWith('modules-'))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, '.vite', name), 'utf8')));
  const packages = packagesOf([...modules, ...moduleIds].map((id) => join(root, id)));
  return noticesOf(
    packages,
    copied.map((path) => readFileSync(join(root, path), 'utf8')),
  );
}
