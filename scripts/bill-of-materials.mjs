/*
 * What a build consists of: `dist/sbom.cdx.json` (CycloneDX) and `dist/third-party-notices.txt`. Both list the
 * packages that the program needs at run time and those that are bundled for browsers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noticesOf } from './licences.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';

/** Packages of the lockfile that are not only for development, and those in `bundled`, by folder. */
function shippedFolders(root, bundled) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional }]) => folder !== '' && (!(dev || devOptional) || bundled.has(folder)))
    .map(([folder]) => folder);
}

/** npm's own bill of materials for the lockfile, less what makes two builds of the same sources differ. */
function lockfileBill(root) {
  // `npm` is a script on Windows, which only a shell starts.
  const options = { cwd: root, encoding: 'utf8', shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 2] };
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { serialNumber: _serial, ...bill } = JSON.parse(
    execFileSync('npm', [...args, '--loglevel', 'error'], { ...options, maxBuffer: 64 * 1024 * 1024 }),
  );
  const { timestamp: _at, ...metadata } = bill.metadata;
  metadata.component.name = 'paylatch';
  return { ...bill, metadata };
}

/** Writes both files into `dist`; `bundledFolders` are the packages (`node_modules/…`) whose code browsers receive. */
export function writeBillOfMaterials(root, bundledFolders) {
  const folders = shippedFolders(root, new Set(bundledFolders));
  const shipped = new Set(
    folders.map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    }),
  );
  const bill = lockfileBill(root);
  const components = bill.components.filter((component) => shipped.has(component['bom-ref']));
  for (const component of components)
    component.properties = component.properties.filter(({ name }) => name !== DEVELOPMENT);
  const listed = new Set([bill.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) }));
  const text = JSON.stringify({ ...bill, components, dependencies }, null, 2);
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${text}\n`);
  const notices = noticesOf(
    folders.map((folder) => join(root, folder)),
    [],
    { isNameEnough: true },
  );
  writeFileSync(join(root, 'dist', 'third-party-notices.txt'), notices);
}
