import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Serves `target` over TLS on a loopback port, as the load balancer of a production setup does. */
export async function startTlsProxy(hostname: string, target: string): Promise<{ port: number; close(): void }> {
  const { hostname: host, port } = new URL(target);
  const server = createServer(makeCertificate(hostname), (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request({ host, port, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A self-signed certificate for a test. */
function makeCertificate(hostname: string): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
    execFileSync('openssl', ['req', '-x509', ...newKey, '-out', cert, '-days', '1', '-subj', `/CN=${hostname}`], {
      stdio: 'ignore',
    });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
