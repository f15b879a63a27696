// The nodes for tests have packages of their own, so that the service's list names none of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the node's packages are, of the project in `root`. */
function placesIn(root) {
  const folder = join(root, 'test', 'regtest');
  return {
    folder,
    wanted: join(folder, 'package-lock.json'),
    // What npm writes of its own into `node_modules` is of another form.
    installed: join(folder, 'node_modules', '.installed-package-lock.json'),
  };
}

/** Whether the node's packages are there as its lockfile says. */
export function isRegtestInstalled(root) {
  const { wanted, installed } = placesIn(root);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted));
}

/** Installs the node's packages where they are not there; nothing of them is compiled or run by that. */
export function installRegtest(root) {
  if (isRegtestInstalled(root)) return;
  const { folder, wanted, installed } = placesIn(root);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  writeFileSync(installed, readFileSync(wanted));
}

/** What the tests of chains need and is not installed, one line each. */
export function missingForChains() {
  return spawnSync('litecoind', ['-version']).status === 0
    ? []
    : ['Missing: litecoind. Debian: apt-get install litecoind. Elsewhere: put Litecoin Core on the PATH.'];
}
