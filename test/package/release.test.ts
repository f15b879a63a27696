import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { packageRoot } from '../../src/system/root.ts';
import { packageNames } from './installed.ts';

interface Workflow {
  jobs: Record<string, { permissions: Record<string, string>; steps: { name?: string; run?: string }[] }>;
}

/** An npm that reads and writes manifests, knows the packages in `$PUBLISHED`, and records what it publishes. */
const fakeNpm = `#!/bin/sh
case "$1" in
  pkg) PATH="$REAL_PATH" exec npm "$@" ;;
  view) case " $PUBLISHED " in *" $2 "*) exit 0 ;; *) exit 1 ;; esac ;;
  publish) echo "$@" >> "$LOG" ;;
  *) exit 2 ;;
esac
`;

describe('the release workflow', () => {
  let folder: string;
  let job: Workflow['jobs'][string];
  let version: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paylatch-release-'));
    const workflow = await readFile(join(packageRoot(), '.github/workflows/release.yml'), 'utf8');
    job = (parse(workflow) as Workflow).jobs['packages'] ?? assert.fail('no job');
    ({ version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { version: string });
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/npm'), fakeNpm);
    await chmod(join(folder, 'bin/npm'), 0o755);
  });
  after(async () => await rm(folder, { recursive: true }));

  /** Runs the step that publishes on a copy of the manifests, and returns the arguments of each `npm publish`. */
  async function publish(tag: string, published: readonly string[] = []): Promise<string[]> {
    const copy = await mkdtemp(join(folder, 'copy-'));
    await cp(join(packageRoot(), 'package.json'), join(copy, 'package.json'));
    for (const name of packageNames) {
      await mkdir(join(copy, 'packages', name), { recursive: true });
      const path = join('packages', name, 'package.json');
      await cp(join(packageRoot(), path), join(copy, path));
    }
    const log = join(copy, 'published.log');
    await writeFile(log, '');
    const { run } = job.steps.find(({ name }) => name === 'Publish the packages') ?? {};
    const { PATH = '' } = process.env;
    await promisify(execFile)('bash', ['-e', '-c', run ?? 'exit 3'], {
      cwd: copy,
      env: {
        PATH: `${join(folder, 'bin')}${delimiter}${PATH}`,
        ...{ REAL_PATH: PATH, HOME: folder, LOG: log, PUBLISHED: published.join(' ') },
        GITHUB_REF_NAME: tag,
        GITHUB_SERVER_URL: 'https://git.example',
        GITHUB_REPOSITORY: 'shop/paylatch',
      },
    });
    const { repository } = JSON.parse(await readFile(join(copy, 'packages/vue/package.json'), 'utf8')) as {
      repository: object;
    };
    assert.deepEqual(repository, {
      type: 'git',
      url: 'git+https://git.example/shop/paylatch.git',
      directory: 'packages/vue',
    });
    return (await readFile(log, 'utf8')).trim().split('\n');
  }

  test('publishes every package with provenance, and continues after those that are published', async () => {
    assert.equal(job.permissions['id-token'], 'write');
    const all = packageNames.map((name) => `publish ./packages/${name} --provenance --access public`);
    assert.deepEqual(await publish(`v${version}`), all);
    assert.deepEqual(await publish(`v${version}`, [`@paylatch/client@${version}`]), all.slice(1));
  });

  test('publishes nothing under a tag of another version', async () => {
    await assert.rejects(publish('v9.9.9'));
  });
});
