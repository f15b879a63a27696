// Test nodes and some examples have their own package lists, which keeps them out of the service's dependencies.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders with a package list of test nodes: bcoin and anvil; Hardhat and Ganache. */
const FOLDERS = ['test/regtest', 'test/evm'];

function packagePaths(root, name) {
  const folder = join(root, name);
  return {
    folder,
    lockfile: join(folder, 'package-lock.json'),
    // Ignores npm's own files in `node_modules`.
    installed: join(folder, 'node_modules', '.installed-package-lock.json'),
  };
}

/** True if a folder's packages are installed according to its lockfile. */
export function isInstalled(root, name) {
  const { lockfile, installed } = packagePaths(root, name);
  return existsSync(installed) && readFileSync(installed).equals(readFileSync(lockfile));
}

/** Installs the missing packages of a folder, without running their scripts. */
export function installPackages(root, name) {
  if (isInstalled(root, name)) return;
  const { folder, lockfile, installed } = packagePaths(root, name);
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
  writeFileSync(installed, readFileSync(lockfile));
}

/** Installs the packages of the test nodes. */
export function installTestNodes(root) {
  for (const name of FOLDERS) installPackages(root, name);
}

/** Missing programs for the chain tests, one line each. */
export function missingForChains() {
  return spawnSync('litecoind', ['-version']).status === 0
    ? []
    : ['Missing: litecoind. Debian: apt-get install litecoind. Elsewhere: put Litecoin Core on the PATH.'];
}
