import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Programs that the Containerfile's `RUN` lines and npm call. */
const programs = ['sh', 'env', 'mkdir', 'cp', 'ln', 'uname'];
/** Parts of glibc that native packages load. */
const glibc = ['librt.so.1', 'libutil.so.1', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'];
export const certificates = '/etc/ssl/certs/ca-certificates.crt';

/** Shared libraries of a program, and its loader. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]);
  return [...stdout.matchAll(/(?:=> |\t)(\/\S+)/g)].map(([, path]) => path ?? '');
}

/**
 * Fills a folder with this machine's Node.js and npm in the places of the official Node.js image, which cannot be
 * pulled without an image registry.
 */
export async function fillBaseImage(folder: string): Promise<void> {
  const put = (from: string, to: string) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(realpathSync(from), join(folder, to), { recursive: true });
  };
  for (const name of programs) {
    const { stdout } = await run('sh', ['-c', `command -v ${name}`]);
    put(stdout.trim(), `/usr/bin/${name}`);
    for (const library of await librariesOf(stdout.trim())) put(library, library);
  }
  put('/bin/sh', '/bin/sh');
  put('/usr/bin/env', '/usr/bin/env');
  put(process.execPath, '/usr/local/bin/node');
  const libraries = await librariesOf(process.execPath);
  const folderOfLibc = dirname(libraries.find((library) => library.endsWith('/libc.so.6')) ?? '');
  for (const library of [...libraries, ...glibc.map((name) => join(folderOfLibc, name))]) put(library, library);
  const { stdout } = await run('sh', ['-c', 'command -v npm']);
  const cli = realpathSync(stdout.trim());
  const npm = join(cli, '..', '..');
  if (basename(npm) !== 'npm') throw new Error(`${cli} does not belong to npm`);
  put(npm, '/usr/local/lib/node_modules/npm');
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm'));
  if (existsSync(certificates)) put(certificates, certificates);
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  chmodSync(join(folder, 'tmp'), 0o1777);
  for (const name of ['root', 'proc', 'dev', 'etc']) mkdirSync(join(folder, name), { recursive: true });
}

/** This machine's npm settings (its registry), for the build. */
export function npmSettings(): string[] {
  const file = join(homedir(), '.npmrc');
  return existsSync(file) ? ['--volume', `${file}:/root/.npmrc:ro`] : [];
}
