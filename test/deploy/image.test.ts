import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';
import { encodeJpeg, encodePng, encodeWebp } from '../support/images.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';
import { certificates, fillBaseImage, npmSettings } from './base-image.ts';

const run = promisify(execFile);
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'paylatch-image-'));
const storage = [`--root=${folder}/storage`, `--runroot=${folder}/run`, '--storage-driver=vfs'];
/** Works without systemd, overlay file systems and the right to raise limits. */
const podmanOptions = [...storage, '--cgroup-manager=cgroupfs', '--events-backend=file', '--runtime=runc'];
const buildah = async (...args: string[]) => (await run('buildah', [...storage, ...args])).stdout.trim();
const podman = async (...args: string[]) => (await run('podman', [...podmanOptions, ...args])).stdout.trim();

/** Options of `podman run`: read-only, without capabilities; only /data and /tmp can be written. */
const restricted = [
  ...['--read-only', '--read-only-tmpfs=false', '--cap-drop=all', '--security-opt=no-new-privileges'],
  ...['--tmpfs=/tmp', '--network=host', '--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024'],
];

async function build(): Promise<void> {
  const base = join(folder, 'base');
  mkdirSync(base);
  await fillBaseImage(base);
  const container = await buildah('from', 'scratch');
  await buildah('copy', container, base, '/');
  // npm trusts the same certificates as on this machine.
  const env = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/root', `NODE_EXTRA_CA_CERTS=${certificates}`];
  await buildah('config', ...env.map((each) => `--env=${each}`), container);
  await buildah('commit', '--rm', container, 'localhost/node-base');
  rmSync(base, { recursive: true });
  const args = ['--isolation=chroot', '--format=docker', '--layers=false', '--pull-never', ...npmSettings()];
  const builder = spawn(
    'buildah',
    [
      ...[...storage, 'bud', ...args, '--build-arg=NODE_IMAGE=localhost/node-base', '--build-arg=VERSION=1.2.3'],
      ...['--tag=localhost/paylatch', '--file=Containerfile', '.'],
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const [code] = await once(builder, 'exit');
  assert.equal(code, 0, 'the image could not be built');
}

/** The process of a container's service, and who runs it, from /proc. */
function processOf(port: number) {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PORT=${port}`)) continue;
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('node\0')) continue;
      return readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
      // The process has ended.
    }
  }
  return assert.fail('the service has no process');
}

describe('the container image', () => {
  before(build, { timeout: 30 * 60_000 });
  after(async () => {
    await podman('rm', '--all', '--force');
    rmSync(folder, { recursive: true, force: true });
  });

  test('serves payments read-only as a user without rights, keeps its data, and drains on SIGTERM', async () => {
    const port = await freePort();
    const settings = ['--env', `PORT=${port}`, '--env', 'DEMO_SHOP=off'];
    const start = async () =>
      await podman(
        'run',
        '--detach',
        '--name=paylatch',
        ...restricted,
        ...settings,
        '-v=data:/data',
        'localhost/paylatch',
      );
    const isReady = async () =>
      await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      );
    await start();
    await until('the service is ready', isReady);
    const status = processOf(port);
    assert.match(status, /^Uid:\t10001\t10001\t10001\t10001$/m);
    for (const set of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status, new RegExp(`^${set}:\t0+$`, 'm'));
    assert.match(status, /^NoNewPrivs:\t1$/m);
    await podman('healthcheck', 'run', 'paylatch');
    assert.equal((await fetch(`http://127.0.0.1:${port}/account`)).status, 200);
    const created = await podman(
      'exec',
      'paylatch',
      'paylatch',
      'merchant',
      'create',
      '--name=Kettle',
      '--output',
      'json',
    );
    const { merchant_id: merchant } = JSON.parse(created) as { merchant_id: number };
    // Neither the program nor anything else in the image can be changed.
    for (const path of ['/app/dist/server/cli.js', '/app/new', '/new', '/usr/local/bin/new'])
      await assert.rejects(
        async () => await podman('exec', 'paylatch', 'node', '-e', `fs.appendFileSync('${path}', 'x')`),
        /EROFS|EACCES/,
      );
    await podman('stop', '--time=60', 'paylatch');
    const [exitCode] = (await podman('inspect', '--format={{.State.ExitCode}}', 'paylatch')).split('\n');
    assert.equal(exitCode, '0');
    assert.match(await podman('logs', 'paylatch'), /"msg":"draining"/);
    await podman('rm', 'paylatch');
    await start();
    await until('the service is ready again', isReady);
    const found = await podman(
      'exec',
      'paylatch',
      'paylatch',
      'token',
      'create',
      `--merchant=${merchant}`,
      '--role=manager',
      '--output',
      'json',
    );
    const { access_token: token } = JSON.parse(found) as { access_token: string };
    assert.match(token, /^pl_test_/);
    // Its decoders run in a thread, which loads packages and WebAssembly.
    for (const image of [encodePng(8, 8), await encodeJpeg(8, 8), await encodeWebp(8, 8)]) {
      const uploaded = await fetch(`http://127.0.0.1:${port}/v1/merchant/logo`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ image: image.toString('base64') }),
      });
      assert.equal(uploaded.status, 200, await uploaded.text());
    }
    await podman('rm', '--force', '--time=60', 'paylatch');
  });

  test('has labels, and a bill of materials where its label says', async () => {
    const inspected = JSON.parse(await podman('image', 'inspect', 'localhost/paylatch')) as {
      Config: { Labels: Record<string, string>; User: string; StopSignal: string };
    }[];
    const { Labels: labels, User: user, StopSignal: signal } = inspected[0]?.Config ?? assert.fail();
    assert.deepEqual([user, signal], ['10001:10001', 'SIGTERM']);
    assert.equal(labels['org.opencontainers.image.version'], '1.2.3');
    const read = ['run', '--rm', ...restricted, '--entrypoint=node', 'localhost/paylatch', '-p'];
    const bill = await podman(...read, `fs.readFileSync('${labels['paylatch.sbom']}', 'utf8')`);
    const { components } = JSON.parse(bill) as { components: { name: string }[] };
    assert.ok(components.some(({ name }) => name === 'hono'));
    // No sources, no development packages.
    const content = await podman(
      ...read,
      "JSON.stringify([fs.readdirSync('/app'), fs.readdirSync('/app/node_modules')])",
    );
    assert.deepEqual(JSON.parse(content), [
      ['LICENSE', 'dist', 'node_modules', 'package.json', 'scripts'],
      ['@ip-location-db', '@jsquash'],
    ]);
  });
});
