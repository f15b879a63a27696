import { type DefaultTreeAdapterTypes, html as namespaces, parse } from 'parse5';

/** Something in a page that runs, decides how it looks, or takes what is typed, or the reader, elsewhere. */
export interface PagePart {
  kind: 'script' | 'style' | 'form' | 'frame';
  /** Absolute; null for what stands in the page itself. */
  url: string | null;
  /** What stands in the page itself. */
  text: string | null;
  /** The attribute of that name. */
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

/** What the HTML of a page names; what its scripts will add is not to be seen here. */
export function readPageParts(html: string, pageUrl: string): PageParts {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const elements = [...elementsIn(document)];
  const base = [...elementsIn(document, false)].find(
    (element) =>
      element.tagName === 'base' && element.namespaceURI === namespaces.NS.HTML && attribute(element, 'href') !== null,
  );
  const baseUrl = resolve(attribute(base, 'href') ?? '', pageUrl) ?? pageUrl;
  return {
    parts: elements.flatMap((element) => partsOf(element, baseUrl)),
    policies: elements
      .filter((element) => /^content-security-policy$/i.test(attribute(element, 'http-equiv') ?? ''))
      .map((element) => attribute(element, 'content') ?? ''),
  };
}

function* elementsIn(node: Node, areTemplatesRead = true): Generator<Element> {
  if ('tagName' in node) yield node;
  // A template's content is not in the page, unless it is a shadow root, or a script puts it there.
  if (areTemplatesRead && 'content' in node) yield* elementsIn(node.content);
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child, areTemplatesRead);
}

function partsOf(element: Element, baseUrl: string): PagePart[] {
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
  if (tagName === 'script' && runs(element)) {
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
  // A card is typed where this leads to.
  if (tagName === 'pay-form' && attribute(element, 'src') !== null) parts.push(linked('form', 'src'));
  const refresh = /^refresh$/i.test(attribute(element, 'http-equiv') ?? '') ? attribute(element, 'content') : null;
  const leadsTo = refresh === null ? null : /[;,\s]\s*(?:url\s*=\s*)?(['"]?)([^\s'"].*?)\1\s*$/i.exec(refresh)?.[2];
  if (leadsTo) parts.push({ kind: 'form', url: resolve(leadsTo, baseUrl), text: null, integrity: null, line });
  if (/^(?:iframe|embed|frame)$/.test(tagName) && attribute(element, 'src') !== null) {
    parts.push(linked('frame', 'src'));
  }
  const inner = tagName === 'iframe' ? attribute(element, 'srcdoc') : null;
  if (inner !== null) parts.push(...readPageParts(inner, baseUrl).parts.map((part) => ({ ...part, line })));

  for (const { name, value } of element.attrs) {
    const isHandler = name.startsWith('on');
    const isCode = /^(?:href|src|data|action|formaction)$/.test(name) && isScriptAddress(value);
    if (isHandler || isCode) parts.push(inline('script', value));
  }
  return parts.filter(({ url }) => url === null || !isScriptAddress(url));
}

/** Whether a browser runs a script, and does not take it for a block of data (HTML standard, section 4.12.1). */
function runs(element: Element): boolean {
  const type = (attribute(element, 'type') ?? '').trim().toLowerCase();
  if (element.namespaceURI === namespaces.NS.SVG && type === '') return true;
  return (
    type === '' ||
    /^(?:module|importmap|speculationrules|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script)/.test(type)
  );
}

/** Browsers leave out tabs and line ends of an address, and white space before it. */
function isScriptAddress(address: string): boolean {
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
