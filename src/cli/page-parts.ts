import { type DefaultTreeAdapterTypes, html as namespaces, parse } from 'parse5';

/** A part of a page that runs code, styles it, or sends input or the visitor elsewhere. */
export interface PagePart {
  kind: 'script' | 'style' | 'form' | 'frame';
  /** Absolute; null for inline content. */
  url: string | null;
  /** Inline content. */
  text: string | null;
  /** The `integrity` attribute. */
  integrity: string | null;
  line: number | null;
}

export interface PageParts {
  parts: PagePart[];
  /** Policies in `<meta>` elements. */
  policies: string[];
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Extracts the parts in a page's HTML; parts added by its scripts are not included. */
export function readPageParts(html: string, pageUrl: string): PageParts {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const elements = [...iterateElements(document)];
  const base = [...iterateElements(document, false)].find(
    (element) =>
      element.tagName === 'base' && element.namespaceURI === namespaces.NS.HTML && attribute(element, 'href') !== null,
  );
  const baseUrl = resolve(attribute(base, 'href') ?? '', pageUrl) ?? pageUrl;
  return {
    parts: elements.flatMap((element) => extractParts(element, baseUrl)),
    policies: elements
      .filter((element) => /^content-security-policy$/i.test(attribute(element, 'http-equiv') ?? ''))
      .map((element) => attribute(element, 'content') ?? ''),
  };
}

function* iterateElements(node: Node, areTemplatesRead = true): Generator<Element> {
  if ('tagName' in node) yield node;
  // A template's content is not in the page, unless it is a shadow root or a script inserts it.
  if (areTemplatesRead && 'content' in node) yield* iterateElements(node.content);
  if ('childNodes' in node) for (const child of node.childNodes) yield* iterateElements(child, areTemplatesRead);
}

function extractParts(element: Element, baseUrl: string): PagePart[] {
  const line = element.sourceCodeLocation?.startLine ?? null;
  const at = (name: string) => resolve(attribute(element, name) ?? '', baseUrl);
  const linked = (kind: PagePart['kind'], name: string): PagePart => ({
    kind,
    url: at(name),
    text: null,
    integrity: attribute(element, 'integrity'),
    line,
  });
  const inline = (kind: PagePart['kind'], text: string): PagePart => ({ kind, url: null, text, integrity: null, line });

  const parts: PagePart[] = [];
  const { tagName } = element;
  if (tagName === 'script' && isExecutable(element)) {
    const source = ['src', 'href', 'xlink:href'].find((name) => attribute(element, name) !== null);
    parts.push(source === undefined ? inline('script', textOf(element)) : linked('script', source));
  }
  if (tagName === 'style') parts.push(inline('style', textOf(element)));
  if (tagName === 'link' && at('href') !== null) {
    const relations = (attribute(element, 'rel') ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('stylesheet')) parts.push(linked('style', 'href'));
    if (relations.includes('modulepreload')) parts.push(linked('script', 'href'));
  }
  if (tagName === 'form') parts.push(linked('form', 'action'));
  if (attribute(element, 'formaction') !== null) parts.push(linked('form', 'formaction'));
  if (tagName === 'object' && attribute(element, 'data') !== null) parts.push(linked('frame', 'data'));
  // The card form is loaded from this URL.
  if (tagName === 'pay-form' && attribute(element, 'src') !== null) parts.push(linked('form', 'src'));
  const refresh = /^refresh$/i.test(attribute(element, 'http-equiv') ?? '') ? attribute(element, 'content') : null;
  const refreshUrl = refresh === null ? null : /[;,\s]\s*(?:url\s*=\s*)?(['"]?)([^\s'"].*?)\1\s*$/i.exec(refresh)?.[2];
  if (refreshUrl) parts.push({ kind: 'form', url: resolve(refreshUrl, baseUrl), text: null, integrity: null, line });
  if (/^(?:iframe|embed|frame)$/.test(tagName) && attribute(element, 'src') !== null) {
    parts.push(linked('frame', 'src'));
  }
  const srcdoc = tagName === 'iframe' ? attribute(element, 'srcdoc') : null;
  if (srcdoc !== null) parts.push(...readPageParts(srcdoc, baseUrl).parts.map((part) => ({ ...part, line })));

  for (const { name, value } of element.attrs) {
    const isHandler = name.startsWith('on');
    const isCode = /^(?:href|src|data|action|formaction)$/.test(name) && isJavascriptUrl(value);
    if (isHandler || isCode) parts.push(inline('script', value));
  }
  return parts.filter(({ url }) => url === null || !isJavascriptUrl(url));
}

/** True if a browser runs a script rather than treating it as a data block (HTML standard, section 4.12.1). */
function isExecutable(element: Element): boolean {
  const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
  if (element.namespaceURI === namespaces.NS.SVG && type === '') return true;
  return (
    type === '' ||
    /^(?:module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script)/.test(type)
  );
}

/** Browsers ignore tabs, line breaks and leading white space in a URL. */
function isJavascriptUrl(address: string): boolean {
  return /^\s*javascript:/i.test(address.replace(/[\t\n\r]/g, ''));
}

function textOf(element: Element): string {
  return element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

function attribute(element: Element | undefined, name: string): string | null {
  const found = element?.attrs.find((each) => (each.prefix ? `${each.prefix}:${each.name}` : each.name) === name);
  return found?.value ?? null;
}

function resolve(address: string, baseUrl: string): string | null {
  return URL.canParse(address, baseUrl) ? new URL(address, baseUrl).href : null;
}
