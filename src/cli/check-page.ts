import { integrityList, type IntegrityList } from '../api/integrity.ts';
import { type PagePart, readPageParts } from './page-parts.ts';
import { integrityOf, judgePin } from '../assets/subresource-integrity.ts';

/** `noted`: shown for a person to judge, and neither of the others. */
export type Verdict = 'published' | 'differs' | 'noted';

export interface Finding {
  verdict: Verdict;
  /** Stable: why it is so. */
  code: string;
  kind: PagePart['kind'] | 'page' | 'header';
  /** The address, the header's name, or the line that it stands in. */
  what: string;
  /** In words. */
  detail: string;
  /** Of what was really there; null when there is no content or it could not be had. */
  integrity: string | null;
}

export interface PageCheck {
  page: string;
  service: string;
  version: string;
  findings: Finding[];
}

/** What keeps a check from being made at all. */
export class CheckError extends Error {}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;

/** Headers that keep strangers' code out of a page, or show that somebody has let it in. */
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
 * Compares a live page with what the service has published: PCI DSS 4.0.1, requirement 11.6.1. The
 * check is static: it reads the HTML and the files that it names, and runs nothing.
 */
export async function checkPage(options: {
  url: string;
  /** The service to compare with; found in the page unless given. */
  service: string | null;
  /** When the page names none. */
  defaultService: () => string;
  /** Hosts and hashes that are the page's own and expected. */
  allowed: readonly string[];
}): Promise<PageCheck> {
  const { response, content } = await load(options.url, 'text/html');
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/.test(response.headers.get('content-type') ?? '')) {
    throw new CheckError(`${options.url} is no HTML page.`);
  }
  const page = response.url || options.url;
  const { parts, policies } = readPageParts(new TextDecoder().decode(content), page);
  const service = options.service ?? serviceIn(parts) ?? options.defaultService();
  const published = await readPublished(service);
  const judge = createJudge({ page, service, published, allowed: options.allowed });
  const findings: Finding[] = response.ok ? [] : [differs('page', 'not_ok', page, `answered ${response.status}`)];
  for (const part of parts) findings.push(await judge(part));
  return { page, service, version: published.version, findings: [...findings, ...noteHeaders(response, policies)] };
}

function serviceIn(parts: readonly PagePart[]): string | null {
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
    // Told below, as an answer that is no list at all.
  }
  throw new CheckError(`${address} has no list of what is published. Name the service with --service.`);
}

type Judge = (part: PagePart) => Promise<Finding>;

function createJudge(options: {
  page: string;
  service: string;
  published: IntegrityList;
  allowed: readonly string[];
}): Judge {
  const { service, published } = options;
  const pageOrigin = new URL(options.page).origin;
  const serviceOrigin = new URL(service).origin;
  const allowed = new Set(options.allowed);
  const hostOf = (url: string) => new URL(url).host;
  /** On a page of our own there is no look but ours. */
  const isOwnPage = pageOrigin === serviceOrigin;

  /** What the service has published at an address; `v1` is another name of the present version. */
  const find = (url: string) => {
    const { origin, pathname } = new URL(url);
    if (origin !== serviceOrigin) return null;
    const path = pathname.replace(/\/widget\/v1\//, `/widget/${published.version}/`);
    return published.files.find((file) => file.url !== null && new URL(file.url).pathname === path) ?? null;
  };

  const judgeLoaded = async (part: PagePart, url: string): Promise<Finding> => {
    const { kind } = part;
    const loaded = await load(url, '*/*').catch(() => null);
    const content = loaded?.response.ok ? loaded.content : null;
    const integrity = content && integrityOf(content);
    const differsBy = (code: string, detail: string) => differs(kind, code, url, detail, integrity);
    const ours = find(url);
    if (ours) {
      if (content === null) return differsBy('not_reachable', 'ours, but it cannot be loaded');
      if (integrity !== ours.integrity)
        return differsBy('content_changed', 'ours, but its content is not what was published');
      const pin = judgePin(part.integrity, content);
      if (pin === 'missing')
        return differsBy('integrity_missing', `ours and unchanged, but without integrity="${integrity}"`);
      if (pin === 'wrong')
        return differsBy('integrity_wrong', `ours and unchanged, but not with integrity="${integrity}"`);
      return { verdict: 'published', code: 'unchanged', kind, what: url, detail: ours.purpose, integrity };
    }
    if (allowed.has(hostOf(url)) || (integrity !== null && allowed.has(integrity))) {
      return { verdict: 'published', code: 'allowed', kind, what: url, detail: 'allowed', integrity };
    }
    if (hostOf(url) === new URL(service).host)
      return differsBy('not_published', 'of our host, but not among what is published');
    const detail = `not ours: ${hostOf(url)}`;
    if (kind === 'script' || isOwnPage) return differsBy('not_ours', detail);
    return { verdict: 'noted', code: 'not_ours', kind, what: url, detail, integrity };
  };

  const judgeInline = ({ kind, text, line }: PagePart): Finding => {
    const integrity = integrityOf(text ?? '');
    const what = `line ${line ?? '?'}`;
    const ours = published.files.find(
      (file) => file.url === null && file.kind === kind && file.integrity === integrity,
    );
    if (ours) return { verdict: 'published', code: 'unchanged', kind, what, detail: ours.purpose, integrity };
    if (allowed.has(integrity))
      return { verdict: 'published', code: 'allowed', kind, what, detail: 'allowed', integrity };
    const detail = `not ours: ${kind === 'script' ? 'code' : 'a style'} in the page itself`;
    if (kind === 'script' || isOwnPage) return differs(kind, 'not_ours', what, detail, integrity);
    return { verdict: 'noted', code: 'not_ours', kind, what, detail, integrity };
  };

  const judgeTarget = ({ kind, url, line }: PagePart): Finding => {
    if (url === null) return differs(kind, 'unreadable', `line ${line ?? '?'}`, 'leads to no address');
    const { origin, host } = new URL(url);
    const isOurs = origin === serviceOrigin;
    if (isOurs || origin === pageOrigin || allowed.has(host)) {
      const detail = isOurs ? 'ours' : origin === pageOrigin ? 'the page’s own' : 'allowed';
      return { verdict: isOurs ? 'published' : 'noted', code: 'own', kind, what: url, detail, integrity: null };
    }
    if (kind === 'form') return differs(kind, 'not_ours', url, `sends to another host: ${host}`);
    return { verdict: 'noted', code: 'not_ours', kind, what: url, detail: `not ours: ${host}`, integrity: null };
  };

  return async (part) => {
    if (part.kind === 'form' || part.kind === 'frame') return judgeTarget(part);
    if (part.text !== null) return judgeInline(part);
    if (part.url === null || !/^https?:/.test(part.url)) {
      return differs(part.kind, 'not_ours', part.url ?? `line ${part.line ?? '?'}`, 'not ours: from no host');
    }
    return await judgeLoaded(part, part.url);
  };
}

function differs(
  kind: Finding['kind'],
  code: string,
  what: string,
  detail: string,
  integrity: string | null = null,
): Finding {
  return { verdict: 'differs', code, kind, what, detail, integrity };
}

function noteHeaders(response: Response, policies: readonly string[]): Finding[] {
  const note = (what: string, value: string | null): Finding => ({
    verdict: 'noted',
    code: value === null ? 'missing' : 'set',
    kind: 'header',
    what,
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
    throw new CheckError(`${url} cannot be loaded: ${cause instanceof Error ? cause.message || cause.name : message}`);
  }
}
