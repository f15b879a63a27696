// The nodes for tests have packages of their own, so that the service's list names none of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders below `test/` with a package list of test nodes: bcoin and anvil; Hardhat and Ganache. */
const FOLDERS = ['regtest', 'evm'];

/** The packages of the test nodes in a folder below `test/`, of the project in `root`. */
function placesIn(root, name) {
  const folder = join(root, 'test', name);
  return {
    folder,
    wanted: join(folder, 'package-lock.json'),
    // What npm writes of its own into `node_modules` is of another form.
    installed: join(folder, 'node_modules', '.installed-package-lock.json'),
  };
}

/** Whether the packages in a folder are installed as its lockfile says. */
export function isRegtestInstalled(root, name = 'regtest') {
  const { wanted, installed } = placesIn(root, name);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted));
}

/** Installs the packages of a folder below `test/` that are missing; nothing of them is compiled or run by that. */
export function installPackages(root, name) {
  if (isRegtestInstalled(root, name)) return;
  const { folder, wanted, installed } = placesIn(root, name);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  writeFileSync(installed, readFileSync(wanted));
}

/** Installs the packages of the test nodes. */
export function installRegtest(root) {
  for (const name of FOLDERS) installPackages(root, name);
}

/** What the tests of chains need and is not installed, one line each. */
export function missingForChains() {
  return spawnSync('litecoind', ['-version']).status === 0
    ? []
    : ['Missing: litecoind. Debian: apt-get install litecoind. Elsewhere: put Litecoin Core on the PATH.'];
}
