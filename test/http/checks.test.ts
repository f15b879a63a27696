// Databases: sqlite
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { checkTls } from '../../src/http/check.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 90;

describe('the TLS check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-tls-'));
  let server: Server;
  let ca: string;
  before(async () => {
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-days', String(VALID_DAYS), '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    await promisify(execFile)('openssl', [...request, ...subject, '-keyout', key, '-out', certificate]);
    ca = readFileSync(certificate, 'utf8');
    server = createServer({ key: readFileSync(key), cert: ca }, (_request, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  });
  const check = async (host: string, { inDays = 0, trusts = true } = {}) => {
    const publicUrl = `https://${host}:${(server.address() as AddressInfo).port}`;
    return await checkTls({ publicUrl, now: () => Date.now() + inDays * DAY_MS, ...(trusts && { ca }) }).run();
  };

  test('accepts a trusted certificate, and warns before it expires', async () => {
    assert.match((await check('localhost')).found, /^TLSv1\.3; the certificate is valid for another (89|90) days\.$/);
    assert.equal((await check('localhost', { inDays: VALID_DAYS - 20 })).status, 'ok');
    const late = await check('localhost', { inDays: VALID_DAYS - 10 });
    assert.equal(late.status, 'warning');
    assert.match(late.found, /expires in (9|10) days/);
  });

  test('reports a certificate that browsers refuse, of another host, or none', async () => {
    const unknown = await check('localhost', { trusts: false });
    assert.equal(unknown.status, 'problem');
    assert.match(unknown.found, /self-signed certificate/);
    assert.match((await check('127.0.0.1')).found, /has no valid TLS/);
    assert.equal((await checkTls({ publicUrl: 'https://localhost:1', now: Date.now }).run()).status, 'problem');
  });
});
