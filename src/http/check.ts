import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { compile } from '@fastify/proxy-addr';
import { databaseClockOffsetMs } from '../database/check.ts';
import type { Database } from '../database/database.ts';
import { type Check, combine, type Finding, ok, problem, warning } from '../system/diagnosis.ts';

const TIMEOUT_MS = 10_000;
/** Certificates are usually renewed 30 days before they expire. */
const RENEWAL_OVERDUE_DAYS = 14;
const DAY_MS = 86_400_000;
/** One-time passwords and signed webhooks tolerate at most 30 seconds in practice. */
const CLOCK_WARNING_MS = 2000;
const CLOCK_PROBLEM_MS = 30_000;
/** Addresses that no proxy has (RFC 5737 and 3849): a range that contains one contains far more than proxies. */
const documentationAddresses = ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'];

/** Checks that `PUBLIC_URL` reaches the service over HTTPS, with a trusted certificate. */
export function checkTls({ publicUrl, ca, now }: { publicUrl: string; now: () => number; ca?: string }): Check {
  return {
    name: 'tls',
    run: async () => {
      const url = new URL(publicUrl);
      if (url.protocol === 'http:') return ok(`${publicUrl} has no TLS, which is allowed only in a sandbox.`);
      try {
        const { certificate, protocol } = await readCertificate(url, ca);
        const days = Math.floor((Date.parse(certificate.valid_to) - now()) / DAY_MS);
        return days < RENEWAL_OVERDUE_DAYS
          ? warning(
              `The certificate expires in ${days} ${days === 1 ? 'day' : 'days'}.`,
              'Check its renewal at the proxy.',
            )
          : ok(`${protocol}; the certificate is valid for another ${days} days.`);
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException;
        return problem(
          `${publicUrl} has no valid TLS: ${message || code}.`,
          'Check DNS, the proxy, and its certificate chain.',
        );
      }
    },
  };
}

/** Returns the expiry of the certificate of `publicUrl`, in milliseconds since the epoch; null without a valid one. */
export async function certificateExpiryMs(publicUrl: string, ca?: string): Promise<number | null> {
  const url = new URL(publicUrl);
  if (url.protocol === 'http:') return null;
  try {
    return Date.parse((await readCertificate(url, ca)).certificate.valid_to);
  } catch {
    return null;
  }
}

async function readCertificate(
  { hostname, port }: URL,
  ca: string | undefined,
): Promise<{ certificate: PeerCertificate; protocol: string | null }> {
  return await new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({
      host,
      port: Number(port || 443),
      // An IP address must not be sent as a server name (RFC 6066, section 3).
      servername: isIP(host) === 0 ? host : '',
      minVersion: 'TLSv1.2',
      ...(ca && { ca }),
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response within 10 seconds')));
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      resolve({ certificate: socket.getPeerCertificate(), protocol: socket.getProtocol() });
      socket.end();
    });
  });
}

/** Checks that `PUBLIC_URL` reaches the service, and that `TRUSTED_PROXIES` contains its proxies and is not too broad. */
export function checkProxy(options: {
  publicUrl: string;
  trustedProxies: readonly string[];
  fetch: typeof fetch;
}): Check {
  const { publicUrl, trustedProxies } = options;
  return {
    name: 'proxy',
    run: async () => {
      const { finding, isUntrusted } = await reachability(options);
      return combine([finding, ...trustFindings(publicUrl, trustedProxies, isUntrusted)]);
    },
  };
}

/** `isUntrusted`: the request went through a proxy that the service does not trust. */
async function reachability(options: {
  publicUrl: string;
  fetch: typeof fetch;
}): Promise<{ finding: Finding; isUntrusted: boolean }> {
  const { publicUrl } = options;
  try {
    const response = await options.fetch(`${publicUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const isService = response.status === 200 && /"status":\s*"alive"/.test(text);
    const finding = isService
      ? ok(`The service responds at ${publicUrl}.`)
      : problem(
          `${publicUrl}/healthz returns ${response.status}, not the service's response.`,
          'Check PUBLIC_URL, and that the proxy forwards to the service.',
        );
    return { finding, isUntrusted: isService && /"proxy":\s*"untrusted"/.test(text) };
  } catch {
    const action = 'Start it, or check PUBLIC_URL and the proxy.';
    return { finding: problem(`The service does not respond at ${publicUrl}.`, action), isUntrusted: false };
  }
}

function trustFindings(publicUrl: string, trustedProxies: readonly string[], isUntrusted: boolean): Finding[] {
  const isTrusted = compile([...trustedProxies]);
  const trusted = documentationAddresses.filter((address) => isTrusted(address, 0));
  if (trusted.length > 0)
    return [
      problem(
        `TRUSTED_PROXIES is too broad (it contains ${trusted.join(', ')}): buyers can spoof their IP address.`,
        'List only your proxies.',
      ),
    ];
  // The service itself speaks HTTP only.
  if (publicUrl.startsWith('https:') && trustedProxies.length === 0)
    return [
      problem(
        'No proxy is trusted: all buyers share the address of the TLS proxy and its rate limits.',
        'Set TRUSTED_PROXIES to the proxy’s address.',
      ),
    ];
  if (isUntrusted)
    return [
      problem(
        'A proxy in front of the service is not in TRUSTED_PROXIES: all buyers share its address and its rate limits.',
        'Add its address to TRUSTED_PROXIES. If it is the nearest proxy, the log of the service shows the address.',
      ),
    ];
  return [];
}

/** Compares this machine's clock with those of the database server and of the host at `PUBLIC_URL`. */
export function checkClock(options: { database: Database; publicUrl: string; fetch: typeof fetch }): Check {
  return {
    name: 'clock',
    run: async () => {
      const offsets = [
        { name: 'the database server', offsetMs: await databaseClockOffsetMs(options.database).catch(() => null) },
        { name: options.publicUrl, offsetMs: await httpClockOffsetMs(options) },
      ];
      const findings = offsets.flatMap(({ name, offsetMs }) =>
        offsetMs === null ? [] : [clockFinding(name, offsetMs)],
      );
      return findings.length === 0
        ? warning('There is no other clock to compare with.', 'Check that the machine synchronizes its clock (NTP).')
        : combine(findings);
    },
  };
}

/** Offset of the clock in an HTTP response's `Date`, which has whole seconds; null without a response. */
async function httpClockOffsetMs(options: { publicUrl: string; fetch: typeof fetch }): Promise<number | null> {
  const beforeMs = Date.now();
  const response = await options
    .fetch(`${options.publicUrl}/healthz`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .catch(() => null);
  await response?.body?.cancel();
  const dateMs = Date.parse(response?.headers.get('date') ?? '');
  return Number.isNaN(dateMs) ? null : dateMs + 500 - (beforeMs + Date.now()) / 2;
}

function clockFinding(name: string, offsetMs: number): Finding {
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1);
  const found = `This clock is ${seconds} s ${offsetMs > 0 ? 'behind' : 'ahead of'} that of ${name}.`;
  const action = 'Synchronize the clocks of all machines (NTP).';
  if (Math.abs(offsetMs) >= CLOCK_PROBLEM_MS) return problem(found, action);
  return Math.abs(offsetMs) >= CLOCK_WARNING_MS ? warning(found, action) : ok(`In sync with ${name}.`);
}
