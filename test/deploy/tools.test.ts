import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/system/root.ts';

const run = promisify(execFile);
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'paylatch-deploy-'));
/** Highest exposure that `systemd-analyze security` may report, of 10. */
const MAX_EXPOSURE = 2;

describe('deployment files', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('the systemd unit is valid and exposes little', async () => {
    const unit = join(folder, 'paylatch.service');
    const text = readFileSync(join(root, 'deploy', 'paylatch.service'), 'utf8');
    assert.match(text, /^ExecStart=\/usr\/bin\/node /m);
    // Only the place of Node.js depends on the machine.
    writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', unit]);
    assert.equal(stderr, '');
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(exposure) <= MAX_EXPOSURE, stdout);
  });

  test('the units of base backups are valid', async () => {
    const copied = ['paylatch-backup.service', 'paylatch-backup.timer'].map((name) => {
      const text = readFileSync(join(root, 'deploy', 'postgres', name), 'utf8');
      // The script is not installed on this machine.
      writeFileSync(join(folder, name), text.replace('/usr/local/bin/', join(root, 'deploy', 'postgres/')));
      return join(folder, name);
    });
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', '--recursive-errors=no', ...copied]);
    assert.equal(stderr, '');
  });

  test('Caddy accepts its file', async () => {
    const env = { ...process.env, HOME: folder, PUBLIC_HOST: 'pay.example' };
    const args = ['--adapter=caddyfile', `--config=${join(root, 'deploy', 'Caddyfile')}`];
    await run('caddy', ['validate', ...args.toReversed()], { env });
    const { stdout } = await run('caddy', ['adapt', ...args], { env });
    assert.match(stdout, /"dial":"127\.0\.0\.1:8080"/);
  });

  test('Caddy closes idle connections before the service does', async () => {
    const cells = { PAYLATCH_CELL_AA: 'aa:1', PAYLATCH_CELL_AB: 'ab:1', PAYLATCH_CELL_DEFAULT: 'default:1' };
    const env = { ...process.env, HOME: folder, PUBLIC_HOST: 'pay.example', PAYLATCH_ADDRESS: 'paylatch:1', ...cells };
    const idleSeconds: Record<string, number> = {};
    for (const file of ['Caddyfile', 'cells/Caddyfile']) {
      const args = ['adapt', '--adapter=caddyfile', `--config=${join(root, 'deploy', file)}`];
      const { stdout } = await run('caddy', args, { env });
      JSON.parse(stdout, (_key, value) => {
        if (value?.handler === 'reverse_proxy')
          idleSeconds[value.upstreams[0].dial] = value.transport?.keep_alive?.idle_timeout / 1e9;
        return value;
      });
    }
    // Caddy's own site, which computes digests.
    delete idleSeconds['127.0.0.1:2018'];
    assert.deepEqual(idleSeconds, { 'paylatch:1': 60, 'aa:1': 60, 'ab:1': 60, 'default:1': 60 });
  });

  test('the compose file is valid, and names what has to be set', async () => {
    const env = { PATH: process.env.PATH, HOME: folder };
    const config = ['--file', join(root, 'compose.yaml'), 'config', '--quiet'];
    const values = { PUBLIC_HOST: 'pay.example', POSTGRES_PASSWORD: 'p', PAYLATCH_SECRET_KEY: 'k', SEALING_KEY: 's' };
    await run('docker-compose', config, { env: { ...env, ...values } });
    for (const name of Object.keys(values)) {
      const others = { ...values, [name]: undefined };
      await assert.rejects(
        async () => await run('docker-compose', config, { env: { ...env, ...others } }),
        new RegExp(name),
      );
    }
  });

  test('alerts fire when they should', async () => {
    const { stdout } = await run('promtool', ['check', 'rules', join(root, 'docs', 'dashboards', 'alerts.yaml')]);
    assert.match(stdout, /SUCCESS: \d+ rules found/);
    await run('promtool', ['test', 'rules', join(root, 'test', 'deploy', 'alerts.test.yaml')]);
  });
});
