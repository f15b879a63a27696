import { integrityList, type IntegrityList } from '../api/integrity.ts';
import { type PagePart, readPageParts } from './page-parts.ts';
import { integrityOf, checkIntegrity } from '../assets/subresource-integrity.ts';

/** `noted`: not a published file, so it cannot be compared; the operator must review it. */
export type FindingStatus = 'published' | 'differs' | 'noted';

export interface Finding {
  status: FindingStatus;
  /** A stable code for the reason. */
  code: string;
  kind: PagePart['kind'] | 'page' | 'header';
  /** Where it was found: a URL, a header name, or a line of the page. */
  location: string;
  /** Description for the operator. */
  detail: string;
  /** Hash of the actual content; null if there is none or it could not be loaded. */
  integrity: string | null;
}

export interface PageCheck {
  page: string;
  service: string;
  version: string;
  findings: Finding[];
}

/** The check could not be run. */
class CheckError extends Error {}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;

/** Headers that protect a page from injected code, or reveal changes that allow it. */
const HEADERS = [
  'Content-Security-Policy',
  'Strict-Transport-Security',
  'X-Content-Type-Options',
  'Referrer-Policy',
  'X-Frame-Options',
  'Permissions-Policy',
  'Cross-Origin-Opener-Policy',
];

/**
 * Compares a live page with the published files (PCI DSS 4.0.1, requirement 11.6.1). The check is static: it reads
 * the HTML and the files that it references, and runs no scripts.
 */
export async function checkPage(options: {
  url: string;
  /** The service to compare with; by default the one that the page references. */
  service: string | null;
  /** Used if the page references none. */
  defaultService: () => string;
  /** Expected hosts and hashes of the page itself. */
  allowed: readonly string[];
}): Promise<PageCheck> {
  const { response, content } = await load(options.url, 'text/html');
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/.test(response.headers.get('content-type') ?? '')) {
    throw new CheckError(`${options.url} is not an HTML page.`);
  }
  const page = response.url || options.url;
  const { parts, policies } = readPageParts(new TextDecoder().decode(content), page);
  const service = options.service ?? findService(parts) ?? options.defaultService();
  const published = await readPublished(service);
  const checkPart = createPartCheck({ page, service, published, allowed: options.allowed });
  const findings: Finding[] = response.ok
    ? []
    : [differs('page', 'not_ok', page, `responded with status ${response.status}`)];
  for (const part of parts) findings.push(await checkPart(part));
  return { page, service, version: published.version, findings: [...findings, ...listHeaders(response, policies)] };
}

function findService(parts: readonly PagePart[]): string | null {
  for (const { kind, url } of parts) {
    const [, service] =
      (kind === 'script' && /^(https?:.*)\/widget\/[^/]+\/pay-form\.js(?:[?#]|$)/.exec(url ?? '')) || [];
    if (service !== undefined) return service;
  }
  return null;
}

async function readPublished(service: string): Promise<IntegrityList> {
  const address = `${service}/widget/v1/integrity.json`;
  const { response, content } = await load(address, 'application/json');
  try {
    if (response.ok) return integrityList.parse(JSON.parse(new TextDecoder().decode(content)));
  } catch {
    // Reported below, like a missing list.
  }
  throw new CheckError(`${address} is not a list of published files. Set the service with --service.`);
}

type CheckPart = (part: PagePart) => Promise<Finding>;

function createPartCheck(options: {
  page: string;
  service: string;
  published: IntegrityList;
  allowed: readonly string[];
}): CheckPart {
  const { service, published } = options;
  const pageOrigin = new URL(options.page).origin;
  const serviceOrigin = new URL(service).origin;
  const allowed = new Set(options.allowed);
  const hostOf = (url: string) => new URL(url).host;
  /** Our own pages contain only our styles. */
  const isOwnPage = pageOrigin === serviceOrigin;

  /** The published file at a URL; `v1` is an alias of the current version. */
  const findPublished = (url: string) => {
    const { origin, pathname } = new URL(url);
    if (origin !== serviceOrigin) return null;
    const path = pathname.replace(/\/widget\/v1\//, `/widget/${published.version}/`);
    return published.files.find((file) => file.url !== null && new URL(file.url).pathname === path) ?? null;
  };

  const checkLoaded = async (part: PagePart, url: string): Promise<Finding> => {
    const { kind } = part;
    const loaded = await load(url, '*/*').catch(() => null);
    const content = loaded?.response.ok ? loaded.content : null;
    const integrity = content && integrityOf(content);
    const differing = (code: string, detail: string) => differs(kind, code, url, detail, integrity);
    const ours = findPublished(url);
    if (ours) {
      if (content === null) return differing('not_reachable', 'ours, but could not be loaded');
      if (integrity !== ours.integrity)
        return differing('content_changed', 'ours, but its content differs from the published file');
      const pin = checkIntegrity(part.integrity, content);
      if (pin === 'missing')
        return differing('integrity_missing', `ours and unchanged, but integrity="${integrity}" is missing`);
      if (pin === 'wrong')
        return differing('integrity_mismatch', `ours and unchanged, but the integrity attribute is not "${integrity}"`);
      return { status: 'published', code: 'unchanged', kind, location: url, detail: ours.purpose, integrity };
    }
    if (allowed.has(hostOf(url)) || (integrity !== null && allowed.has(integrity))) {
      return { status: 'published', code: 'allowed', kind, location: url, detail: 'allowed', integrity };
    }
    if (hostOf(url) === new URL(service).host)
      return differing('not_published', 'on our host, but not a published file');
    const detail = `not ours: ${hostOf(url)}`;
    if (kind === 'script' || isOwnPage) return differing('not_from_service', detail);
    return { status: 'noted', code: 'not_from_service', kind, location: url, detail, integrity };
  };

  const checkInline = ({ kind, text, line }: PagePart): Finding => {
    const integrity = integrityOf(text ?? '');
    const location = `line ${line ?? '?'}`;
    const ours = published.files.find(
      (file) => file.url === null && file.kind === kind && file.integrity === integrity,
    );
    if (ours) return { status: 'published', code: 'unchanged', kind, location, detail: ours.purpose, integrity };
    if (allowed.has(integrity))
      return { status: 'published', code: 'allowed', kind, location, detail: 'allowed', integrity };
    const detail = `not ours: inline ${kind === 'script' ? 'script' : 'style'}`;
    if (kind === 'script' || isOwnPage) return differs(kind, 'not_from_service', location, detail, integrity);
    return { status: 'noted', code: 'not_from_service', kind, location, detail, integrity };
  };

  const checkTarget = ({ kind, url, line }: PagePart): Finding => {
    if (url === null) return differs(kind, 'unreadable', `line ${line ?? '?'}`, 'has no valid URL');
    const { origin, host } = new URL(url);
    const isOurs = origin === serviceOrigin;
    if (isOurs || origin === pageOrigin || allowed.has(host)) {
      const detail = isOurs ? 'ours' : origin === pageOrigin ? 'the page’s own' : 'allowed';
      return { status: isOurs ? 'published' : 'noted', code: 'own', kind, location: url, detail, integrity: null };
    }
    if (kind === 'form') return differs(kind, 'not_from_service', url, `submits to another host: ${host}`);
    return {
      status: 'noted',
      code: 'not_from_service',
      kind,
      location: url,
      detail: `not ours: ${host}`,
      integrity: null,
    };
  };

  return async (part) => {
    if (part.kind === 'form' || part.kind === 'frame') return checkTarget(part);
    if (part.text !== null) return checkInline(part);
    if (part.url === null || !/^https?:/.test(part.url)) {
      return differs(part.kind, 'not_from_service', part.url ?? `line ${part.line ?? '?'}`, 'not ours: no http(s) URL');
    }
    return await checkLoaded(part, part.url);
  };
}

function differs(
  kind: Finding['kind'],
  code: string,
  location: string,
  detail: string,
  integrity: string | null = null,
): Finding {
  return { status: 'differs', code, kind, location, detail, integrity };
}

function listHeaders(response: Response, policies: readonly string[]): Finding[] {
  const note = (location: string, value: string | null): Finding => ({
    status: 'noted',
    code: value === null ? 'missing' : 'set',
    kind: 'header',
    location,
    detail: value ?? 'missing',
    integrity: null,
  });
  return [
    ...HEADERS.map((name) => note(name, response.headers.get(name))),
    ...policies.map((policy) => note('Content-Security-Policy, in the page', policy)),
  ];
}

async function load(url: string, accept: string): Promise<{ response: Response; content: Uint8Array }> {
  try {
    const response = await fetch(url, { headers: { accept }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw new CheckError(`${url} is larger than ${MAX_BYTES} bytes.`);
      chunks.push(chunk);
    }
    return { response, content: Buffer.concat(chunks) };
  } catch (error) {
    if (error instanceof CheckError) throw error;
    const { cause, message } = error as Error;
    throw new CheckError(
      `${url} could not be loaded: ${cause instanceof Error ? cause.message || cause.name : message}`,
    );
  }
}
