import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';

const exec = promisify(execFile);

/** The folders in `packages/`. */
export const packageNames = ['client', 'medusa', 'pay-form', 'react', 'testing', 'vendure', 'vue'] as const;
export type PackageName = (typeof packageNames)[number];

/** The packages of a merchant's own project. */
const ownPackages = ['react', '@types/react', '@types/node', 'vue', '@playwright/test'];

export interface Packed {
  tarball: string;
  /** Paths of the files in the package. */
  files: string[];
  /** Bytes of the tarball. */
  size: number;
}

export interface Project {
  folder: string;
  /** Names of the installed packages. */
  packages(): Promise<string[]>;
  /** Runs a program in the project; rejects with its output on failure. */
  run(program: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Packs a package as npm publishes it. `source` is a folder of the repository. */
export async function pack(source: string, target: string): Promise<Packed> {
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', target];
  const { stdout } = await exec('npm', args, { cwd: join(packageRoot(), source) });
  const [packed] = JSON.parse(stdout) as [{ filename: string; size: number; files: { path: string }[] }];
  return {
    tarball: join(target, packed.filename),
    files: packed.files.map(({ path }) => path),
    size: packed.size,
  };
}

/** A new project outside the repository, with these tarballs installed by npm, without a network. */
export async function installInProject(tarballs: readonly string[]): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'paylatch-project-'));
  await writeFile(join(folder, 'package.json'), '{ "name": "merchant", "private": true, "type": "module" }\n');
  const project = {
    folder,
    packages: async () => {
      const names = await readdir(join(folder, 'node_modules'));
      const nested = await Promise.all(
        names.map(async (name) =>
          name.startsWith('@')
            ? (await readdir(join(folder, 'node_modules', name))).map((each) => `${name}/${each}`)
            : [name],
        ),
      );
      return nested.flat().filter((name) => !name.startsWith('.'));
    },
    run: async (program: string, args: readonly string[]) => await runIn(folder, program, args),
    remove: async () => await rm(folder, { recursive: true }),
  };
  const options = ['--offline', '--omit=peer', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await project.run('npm', ['install', ...options, ...tarballs]);
  return project;
}

/** A merchant's project with all packages, the merchant's own packages and the sources in `merchant/`. */
export async function installAll(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'paylatch-packages-'));
  try {
    const packed = await Promise.all(packageNames.map(async (name) => await pack(join('packages', name), folder)));
    const project = await installInProject(packed.map(({ tarball }) => tarball));
    for (const name of ownPackages) await link(name, project.folder);
    await cp(join(packageRoot(), 'test/package/merchant'), project.folder, { recursive: true });
    return project;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The packed service, in a folder that contains only its declared dependencies. */
export async function installService(): Promise<Project & Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'paylatch-service-'));
  const packed = await pack('.', folder);
  const target = join(folder, 'node_modules', 'paylatch');
  await mkdir(target, { recursive: true });
  await exec('tar', ['-xzf', packed.tarball, '-C', target, '--strip-components=1']);
  const manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(manifest.dependencies)) await link(name, folder);
  return {
    folder,
    ...packed,
    packages: async () => await readdir(join(folder, 'node_modules')),
    run: async (program, args) => await runIn(folder, program, args),
    remove: async () => await rm(folder, { recursive: true }),
  };
}

async function link(name: string, folder: string) {
  const path = join(folder, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(packageRoot(), 'node_modules', name), path);
}

async function runIn(folder: string, program: string, args: readonly string[]): Promise<string> {
  try {
    return (await exec(program, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
