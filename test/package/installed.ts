import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';

const exec = promisify(execFile);

export interface Installed {
  /** A merchant's project, with the package in its `node_modules`. */
  folder: string;
  tarball: string;
  /** Paths of the files in the package. */
  files: string[];
  /** Runs a program in the project; rejects with its output on failure. */
  run(program: string, args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

interface Manifest {
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
}

/**
 * The package as packed by npm, in a folder that contains only its declared dependencies.
 */
export async function installPackage(): Promise<Installed> {
  const root = packageRoot();
  const folder = await mkdtemp(join(tmpdir(), 'paylatch-package-'));
  const { stdout } = await exec(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder],
    { cwd: root },
  );
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  const tarball = join(folder, packed.filename);
  const target = join(folder, 'node_modules', 'paylatch');
  await mkdir(target, { recursive: true });
  await exec('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  const manifest = JSON.parse(await readFile(join(target, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    await link(name, root, folder);
  }
  await cp(join(root, 'test/package/merchant'), folder, { recursive: true });
  // Types that a merchant's project already has.
  await link('@types/node', root, folder);
  return {
    folder,
    tarball,
    files: packed.files.map(({ path }) => path),
    run: async (program, args) => await runIn(folder, program, args),
    remove: async () => await rm(folder, { recursive: true }),
  };
}

async function link(name: string, root: string, folder: string) {
  const path = join(folder, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(join(root, 'node_modules', name), path);
}

async function runIn(folder: string, program: string, args: readonly string[]): Promise<string> {
  try {
    return (await exec(program, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
