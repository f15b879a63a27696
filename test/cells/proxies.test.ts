import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { Hono } from 'hono';
import { hashSecret } from '../../src/auth/tokens.ts';
import { listen } from '../../src/http/server.ts';
import { packageRoot } from '../../src/system/root.ts';
import { needs } from '../support/installed.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';

// Databases: sqlite

const folder = join(packageRoot(), 'deploy', 'cells');

const body27 = 'A-_0123456789abcdefghijklmn';
const secret = 'x'.repeat(43);
const aaToken = `pl_live_aa-${secret}_0123abcd`;
const movedToken = `pl_live_aa-${'y'.repeat(43)}_0123abcd`;
const oldMovedToken = `pl_live_${'z'.repeat(43)}_0123abcd`;
const movedLink = `aa-${body27.replaceAll('A', 'B')}`;
const movedClient = `pl_client_aa-${body27.replaceAll('A', 'C')}`;
const logo = 'ab'.repeat(32);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:secret`).toString('base64')}` });

interface Case {
  path: string;
  cell: string;
  headers?: Record<string, string>;
  body?: string;
  host?: string;
}

/** Rules of both proxies. */
const shared: readonly Case[] = [
  { path: `/p/aa-${body27}`, cell: 'aa' },
  { path: `/p/ab-${body27}/state`, cell: 'ab' },
  { path: '/b/ab-0123456789abcdef', cell: 'ab' },
  { path: `/acquirers/ab-${body27}/webhooks`, cell: 'ab' },
  // An ID without a prefix that begins like one.
  { path: `/p/aa-${body27.slice(3)}`, cell: 'default' },
  { path: `/p/${body27}`, cell: 'default' },
  { path: `/p/zz-${body27}`, cell: 'default' },
  { path: '/fiat/v1/transactions', headers: bearer(aaToken), cell: 'aa' },
  { path: '/fiat/v1/transactions', headers: bearer(`pl_live_${secret}_0123abcd`), cell: 'default' },
  { path: `/p/${movedLink}`, cell: 'ab' },
  { path: '/account/sign-in', host: 'ab.pay.example', cell: 'ab' },
  { path: '/account/sign-in', host: 'pay.example', cell: 'default' },
  { path: '/.well-known/webhook-keys/ab-1000000000001', cell: 'ab' },
  { path: '/.well-known/webhook-keys/aa-1000000000002', cell: 'ab' },
  { path: '/.well-known/webhook-keys/1000000000001', cell: 'default' },
  { path: `/sandbox/issuer/aa-${body27}`, cell: 'aa' },
  { path: `/logos/${logo}.png`, cell: 'ab' },
  { path: '/fiat/v1/transactions', headers: bearer(movedToken), cell: 'ab' },
  { path: '/fiat/v1/transactions', headers: bearer(oldMovedToken), cell: 'ab' },
  { path: '/oauth/token', headers: basic(`pl_client_aa-${body27}`), body: 'grant_type=client_credentials', cell: 'aa' },
  { path: '/oauth/token', headers: basic(movedClient), body: 'grant_type=client_credentials', cell: 'ab' },
  // Only the header with the digest that the proxy computed counts.
  { path: '/fiat/v1/transactions', headers: { ...bearer(aaToken), 'x-credential': movedClient }, cell: 'aa' },
  { path: '/p/1', headers: { 'x-credential': movedClient }, cell: 'default' },
  // The ID counts more than the host of the link.
  { path: `/p/${movedLink}`, host: 'aa.pay.example', cell: 'ab' },
];

/** Only HAProxy reads bodies. */
const onlyHaproxy: readonly Case[] = [
  { path: '/oauth/token', body: `grant_type=client_credentials&client_id=pl_client_ab-${body27}`, cell: 'ab' },
];

/** Paths that the service reads as `/metrics` or `/readyz`. */
const internalPaths: readonly string[] = [
  ...['/metrics', '/readyz', '/%6detrics', '/./metrics', '/x/../readyz', '/x/%2E%2e/%72eadyz', '/%zz/../metrics'],
];

const moved = [
  ...[movedLink, hashSecret(movedToken), hashSecret(oldMovedToken)],
  ...['aa-1000000000002', movedClient, logo],
]
  .map((id) => `${id} ab\n`)
  .join('');

describe('the proxies of cells', () => {
  const cells: Awaited<ReturnType<typeof listen>>[] = [];
  const children: ChildProcess[] = [];
  const maps = mkdtempSync(join(tmpdir(), 'paylatch-maps-'));
  const addresses: Record<string, string> = {};

  before(async () => {
    for (const name of ['default', 'aa', 'ab']) {
      const application = new Hono().all('*', (http) => http.json({ cell: name }));
      const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
      cells.push(server);
      addresses[`PAYLATCH_CELL_${name.toUpperCase()}`] = `127.0.0.1:${server.port}`;
    }
    copyFileSync(join(folder, 'hosts.map'), join(maps, 'hosts.map'));
    writeFileSync(join(maps, 'moved.map'), readFileSync(join(folder, 'moved.map'), 'utf8') + moved);
  });
  after(async () => {
    for (const child of children) {
      child.kill();
      await once(child, 'exit');
    }
    for (const cell of cells) await cell.close();
    rmSync(maps, { recursive: true, force: true });
  });

  async function start(command: string, args: readonly string[], env: Record<string, string>, port: number) {
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: maps, ...addresses, ...env },
      stdio: 'ignore',
    });
    children.push(child);
    await until(`${command} listens`, async () => {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
      return await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
    });
  }

  async function check(port: number, cases: readonly Case[], host = 'pay.example') {
    for (const { path, headers = {}, body, cell, ...each } of cases) {
      const curl = ['-s', `http://127.0.0.1:${port}${path}`, '-H', `Host: ${each.host ?? host}`];
      for (const [name, value] of Object.entries(headers)) curl.push('-H', `${name}: ${value}`);
      if (body !== undefined) curl.push('-d', body);
      const child = spawn('curl', curl, { stdio: ['ignore', 'pipe', 'ignore'] });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      await once(child, 'close');
      assert.deepEqual([path, headers, each.host, text], [path, headers, each.host, JSON.stringify({ cell })]);
    }
    for (const path of internalPaths) {
      const url = `http://127.0.0.1:${port}${path}`;
      const curl = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--path-as-is', '-H', `Host: ${host}`, url];
      const { stdout } = await promisify(execFile)('curl', curl);
      assert.match(stdout, /^40[04]$/, path);
    }
  }

  test('HAProxy routes by map, prefix and host', needs('haproxy'), async () => {
    const port = await freePort();
    const env = { PAYLATCH_BIND: `127.0.0.1:${port}`, PAYLATCH_MAPS: maps };
    await start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], env, port);
    await check(port, [...shared, ...onlyHaproxy]);
  });

  test('HAProxy returns a retryable problem for a cell that does not respond', needs('haproxy'), async () => {
    const port = await freePort();
    const bind = { PAYLATCH_BIND: `127.0.0.1:${port}`, PAYLATCH_MAPS: maps };
    const env = { ...bind, PAYLATCH_CELL_DEFAULT: `127.0.0.1:${await freePort()}` };
    await start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], env, port);
    const response = await fetch(`http://127.0.0.1:${port}/p/1`);
    const { headers, status } = response;
    assert.deepEqual(
      [status, headers.get('content-type'), headers.get('retry-after')],
      [503, 'application/problem+json', '2'],
    );
    assert.equal(((await response.json()) as { code: string }).code, 'unavailable');
  });

  test('Caddy routes by map, prefix and host', needs('caddy'), async () => {
    const port = await freePort();
    const config = readFileSync(join(folder, 'Caddyfile'), 'utf8').replace(
      /^\{\$PUBLIC_HOST\} .*\{$/m,
      `http://:${port} {`,
    );
    writeFileSync(join(maps, 'Caddyfile'), `{\n\tadmin off\n}\n${config}`);
    writeFileSync(join(maps, 'moved.caddy'), readFileSync(join(folder, 'moved.caddy'), 'utf8') + moved);
    const credentials = `127.0.0.1:${await freePort()}`;
    const env = { PAYLATCH_CREDENTIALS: credentials };
    await start('caddy', ['run', '--config', join(maps, 'Caddyfile')], env, port);
    await check(port, shared);
    // Only the first loopback address accepts connections to it.
    await fetch(`http://${credentials}`);
    await assert.rejects(fetch(`http://${credentials.replace('127.0.0.1', '127.0.0.2')}`));
  });
});
