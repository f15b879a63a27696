import { html } from 'hono/html';
import type { BrowserFile } from './browser-files.ts';

export type Html = ReturnType<typeof html>;

/** Options of a page. */
export interface DocumentOptions {
  /** Reloads the page every few seconds. */
  refreshes?: boolean;
  styles?: readonly BrowserFile[];
  script?: BrowserFile;
  /** The script changes the layout, so the first paint waits for it. */
  paintsAfterScript?: boolean;
  /** `src` of the `<pay-form>` on the page. */
  embedUrl?: string;
}

export function shopDocument(title: string, body: Html, options: DocumentOptions = {}): Html {
  const { refreshes, styles = [], script, paintsAfterScript, embedUrl } = options;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${refreshes ? html`<meta http-equiv="refresh" content="3">` : ''}
<title>${title} &middot; Demo shop</title>
${embedUrl === undefined ? '' : payFormTags(serviceOrigin(embedUrl))}
<link rel="stylesheet" href="/shop.css">
${styles.map((name) => html`<link rel="stylesheet" href="/${name}">`)}
${script === undefined ? '' : html`<script type="module"${paintsAfterScript ? html` blocking="render"` : ''} src="/${script}"></script>`}
</head>
<body>
<header class="bar"><a href="/">Demo shop</a><span>Demo only. Nothing is for sale.</span></header>
${body}
</body>
</html>`;
}

/** Origin of the payment service. */
export function serviceOrigin(embedUrl: string): string {
  return new URL(embedUrl).origin;
}

function payFormTags(service: string): Html {
  return html`<link rel="stylesheet" href="${service}/widget/v1/pay-form.css">
<script type="module" src="${service}/widget/v1/pay-form.js"></script>`;
}
