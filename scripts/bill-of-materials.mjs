/*
 * Writes `dist/sbom.cdx.json` (CycloneDX) and `dist/third-party-notices.txt`. Both list the packages that the
 * program needs at run time and those bundled for browsers.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noticesOf } from './licenses.mjs';

const DEVELOPMENT = 'cdx:npm:package:development';

/** Folders of the runtime packages in the lockfile, and of the packages in `bundled`. */
function shippedFolders(root, bundled) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([folder, { dev, devOptional, link }]) => {
      // Not this package and its workspaces.
      if (!folder.includes('node_modules/') || link) return false;
      return !(dev || devOptional) || bundled.has(folder);
    })
    .map(([folder]) => folder);
}

/** npm's bill of materials for the lockfile, without the fields that differ between builds of the same sources. */
export async function lockfileSbom(root) {
  // On Windows `npm` is a script, which needs a shell.
  const options = { cwd: root, shell: process.platform === 'win32', maxBuffer: 64 * 1024 * 1024 };
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const { stdout } = await promisify(execFile)('npm', [...args, '--loglevel', 'error'], options);
  const { serialNumber: _serial, ...sbom } = JSON.parse(stdout);
  const { timestamp: _at, ...metadata } = sbom.metadata;
  metadata.component.name = 'paylatch';
  return { ...sbom, metadata };
}

/** Writes both files into `dist`. `bundledFolders` are the packages (`node_modules/…`) bundled for browsers. */
export function writeBillOfMaterials(root, sbom, bundledFolders) {
  const folders = shippedFolders(root, new Set(bundledFolders));
  const shipped = new Set(
    folders.map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    }),
  );
  const components = sbom.components.filter((component) => shipped.has(component['bom-ref']));
  for (const component of components)
    component.properties = component.properties.filter(({ name }) => name !== DEVELOPMENT);
  const listed = new Set([sbom.metadata.component['bom-ref'], ...components.map((each) => each['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) }));
  const text = JSON.stringify({ ...sbom, components, dependencies }, null, 2);
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${text}\n`);
  const notices = noticesOf(
    folders.map((folder) => join(root, folder)),
    [],
    { allowMissingText: true },
  );
  writeFileSync(join(root, 'dist', 'third-party-notices.txt'), notices);
}
