// Databases: sqlite
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sendJson } from '../../src/acquirers/http.ts';
import { NotProcessed, Outage } from '../../src/acquirers/port.ts';

/** A server certificate and its intermediate certificate; the root is neither sent nor trusted. */
function makeChain(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-tls-'));
  const issue = (name: string, issuer: string | null, extension: string) => {
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
    const by = issuer === null ? [] : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`];
    const subject = ['-days', '1', '-subj', `/CN=${name}`, '-addext', extension];
    execFileSync('openssl', ['req', '-x509', ...newKey, ...by, ...subject, '-out', `${name}.pem`], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  try {
    issue('root', null, 'basicConstraints=critical,CA:TRUE');
    issue('intermediate', 'root', 'basicConstraints=critical,CA:TRUE');
    issue('leaf', 'intermediate', 'subjectAltName=DNS:localhost');
    const read = (file: string) => readFileSync(join(folder, file));
    return { key: read('leaf.key'), cert: Buffer.concat([read('leaf.pem'), read('intermediate.pem')]) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a charge is not sent to an acquirer whose certificate is not trusted: another account may be tried', async () => {
  let requests = 0;
  const server = createServer(makeChain(), (_incoming, outgoing) => {
    requests += 1;
    outgoing.end('{}');
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = { acquirer: 'Adyen', operation: '/payments', headers: {}, body: {}, timeoutMs: 10_000 };
  const sent = sendJson(fetch, { ...request, method: 'POST', url: `https://localhost:${port}/payments` });
  await assert.rejects(sent, (error: Error) => {
    assert.ok(error instanceof NotProcessed && error.cause instanceof Outage, error.message);
    assert.match(error.message, /UNABLE_TO_GET_ISSUER_CERT_LOCALLY/);
    return true;
  });
  assert.equal(requests, 0);
  server.close();
});
