import type { PageAsset, PageScript } from './assets.ts';

export interface HtmlDocument {
  locale: string;
  direction: 'ltr' | 'rtl';
  title: string;
  asset: PageAsset;
  /** Inserted after the page's own style. */
  extraStyle?: string | undefined;
  /** Runs after the page's own script. */
  extraScript?: PageScript | undefined;
  /** HTML; must already be escaped. */
  body: string;
  /** Makes the page `inert`: no focus, no clicks, hidden from assistive technology. */
  isInert?: boolean;
  /** Data for the script, as a JSON data block. */
  data?: { id: string; value: unknown };
}

/** Renders an HTML document with inline styles and external scripts, all from our own host. */
export function htmlDocument({
  locale,
  direction,
  title,
  asset,
  extraStyle,
  extraScript,
  body,
  isInert = false,
  data,
}: HtmlDocument): string {
  const scripts = [asset.script, extraScript].filter((script) => script !== null && script !== undefined);
  const dataBlock = data
    ? `<script type="application/json" id="${escapeHtml(data.id)}">${escapeJsonForScript(data.value)}</script>`
    : '';
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${scriptTags(scripts)}
<style>${asset.style}</style>${extraStyle === undefined ? '' : `<style>${extraStyle}</style>`}
</head>
<body${isInert ? ' inert' : ''}>
${body}
${dataBlock}
</body>
</html>
`;
}

function scriptTags(scripts: readonly PageScript[]): string {
  const imported = scripts.flatMap((script) => script.imports);
  const pageScriptUrls = new Set(scripts.map(({ url }) => url));
  const imports = new Map(imported.filter(({ url }) => !pageScriptUrls.has(url)).map((script) => [script.url, script]));
  const preloads = [...imports.values()].map(
    ({ url, integrity }) => `<link rel="modulepreload" href="${escapeHtml(url)}" integrity="${escapeHtml(integrity)}">`,
  );
  const tags = scripts.map(
    ({ url, integrity }) =>
      `<script type="module" src="${escapeHtml(url)}" integrity="${escapeHtml(integrity)}"></script>`,
  );
  return [...preloads, ...tags].join('');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Escapes JSON for a script element: `</script`, `<!--`, and line separators that older engines reject. */
export function escapeJsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
