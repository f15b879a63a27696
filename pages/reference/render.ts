/*
 * Map of `pages/reference/`: `render.ts` renders the pages of the API reference from the OpenAPI document that
 * `document.ts` reads, and `sections.ts` their sections with the requests of `samples.ts`. `client.ts` starts the
 * script: `search.ts`, and `try-it.ts`, which sends requests to the sandbox. Reasons: docs/decisions/reference.md.
 */

import { html } from 'hono/html';
import { problemCatalog } from '../../src/api/problem.ts';
import type { PageAsset } from '../assets.ts';
import { htmlDocument } from '../html-document.ts';
import { type ApiDocument, operationEntries, type OperationEntry, pageName, webhookEntries } from './document.ts';
import { sampleLanguages } from './samples.ts';
import type { SearchEntry } from './search-entry.ts';
import { type Html, SectionRenderer } from './sections.ts';

/** A page of the reference at `/reference/NAME`; the start page has the name ''. */
interface ReferencePage {
  name: string;
  title: string;
  /** Sections listed below the page in the table of contents. */
  sections: readonly { id: string; title: string; httpMethod?: string; isPart?: boolean }[];
  render(): Html;
}

export interface Reference {
  /** HTML of the page at `/reference/NAME`; null if there is none. */
  renderPage(name: string): string | null;
  /** Everything that the search finds. */
  searchEntries(): SearchEntry[];
}

export interface ReferenceOptions {
  document: ApiDocument;
  asset: PageAsset;
  /** In the sandbox, readers can send the example requests. */
  isSandbox: boolean;
}

/**
 * The API's document as pages: a start page, one for each group of operations, and problems. Webhooks are on the page
 * of their operations. All content is
 * in the HTML, with an anchor for each operation (`/reference/payments#createTransaction`), webhook and problem.
 * Scripts add search, copy buttons and requests to the sandbox.
 */
export function createReference({ document, asset, isSandbox }: ReferenceOptions): Reference {
  const entries = operationEntries(document);
  const webhooks = webhookEntries(document);
  const renderer = new SectionRenderer(document, entries);
  const groups = document.tags.map(({ name }) => ({ name, entries: entries.filter(({ group }) => group === name) }));
  const sectionsOf = (group: readonly OperationEntry[]) =>
    group.map(({ id, summary, method }) => ({ id, title: summary, httpMethod: method }));
  const pages: ReferencePage[] = [
    { name: '', title: 'Start', sections: [], render: () => html`${renderer.start()}${index(groups)}` },
    ...groups.map(({ name, entries }) => {
      const isWebhooks = pageName(name) === 'webhooks';
      return {
        ...{ name: pageName(name), title: name },
        sections: isWebhooks
          ? [
              { ...eventsPart, isPart: true },
              ...webhooks.map(({ id, type }) => ({ id, title: type })),
              { ...operationsPart, isPart: true },
              ...sectionsOf(entries),
            ]
          : sectionsOf(entries),
        render: () =>
          html`<h1>${name}</h1>${isWebhooks ? html`${renderer.webhookRequests(webhooks)}${partHeading(eventsPart)}${webhooks.map((entry) => renderer.webhook(entry))}${partHeading(operationsPart)}` : ''}${entries.map((entry) => renderer.operation(entry))}`,
      };
    }),
    { name: 'problems', title: 'Errors', sections: [], render: () => renderer.problems() },
  ];

  return {
    renderPage(name) {
      const page = pages.find((each) => each.name === name);
      if (!page) return null;
      return htmlDocument({
        locale: 'en',
        direction: 'ltr',
        title: `${page.name === '' ? '' : `${page.title} · `}${document.info.title} API reference`,
        asset,
        body: toHtmlText(pageLayout(document, pages, page, isSandbox)),
      });
    },
    searchEntries: () => [
      ...entries.map((entry) => ({
        ...{ href: entry.href, title: entry.summary, note: `${entry.method} ${entry.path}` },
        text: searchText(renderer.operationText(entry)),
      })),
      ...webhooks.map((webhook) => ({
        ...{ href: `/reference/webhooks#${webhook.id}`, title: webhook.summary, note: webhook.type },
        text: searchText(renderer.webhookText(webhook)),
      })),
      ...Object.entries(problemCatalog).map(([code, { status, title, cause, remedy }]) => ({
        ...{ href: `/reference/problems#problem-${code}`, title: code, note: `${status} ${title}` },
        text: `${cause} ${remedy}`.toLowerCase(),
      })),
    ],
  };
}

/** Parts of the page of webhooks. */
const eventsPart = { id: 'webhook-events', title: 'Events' };
const operationsPart = { id: 'webhook-operations', title: 'Operations' };

function partHeading({ id, title }: { id: string; title: string }): Html {
  return html`<h2 class="part" id="${id}">${title}</h2>`;
}

function toHtmlText(rendered: Html): string {
  if (rendered instanceof Promise) throw new Error('The reference must render synchronously');
  return rendered.toString();
}

/** Text of a section in lower case, each word once. */
function searchText(section: Html): string {
  const text = toHtmlText(section)
    .replaceAll(/<[^>]+>/g, ' ')
    .toLowerCase();
  return [...new Set(text.split(/[^\p{L}\p{N}_./-]+/u))].join(' ').trim();
}

/** A page with the header, the table of contents and the language selection for examples. */
function pageLayout(
  document: ApiDocument,
  pages: readonly ReferencePage[],
  page: ReferencePage,
  isSandbox: boolean,
): Html {
  return html`<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="bar-name" href="/reference">${document.info.title} API</a>
<span class="bar-version">${document.info.version}</span>
<fieldset class="languages"><legend class="visually-hidden">Language of the examples</legend>${sampleLanguages.map(
    ({ id, name }, index) =>
      html`<span><input type="radio" name="language" id="language-${id}" value="${id}" aria-label="${name}"${index === 0 ? html` checked` : ''}><label for="language-${id}">${name}</label></span>`,
  )}</fieldset>
<button class="bar-contents" type="button" popovertarget="contents">Contents</button>
</header>
<div class="page">
${contents(pages, page)}
<main id="content" tabindex="-1"${isSandbox ? html` data-sandbox` : ''}>
${page.render()}
</main>
</div>`;
}

function contents(pages: readonly ReferencePage[], current: ReferencePage): Html {
  return html`<nav class="contents" id="contents" popover aria-label="Contents">
<div class="find" hidden>
<label class="visually-hidden" for="find">Search</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" enterkeyhint="search" placeholder="Search" aria-describedby="found" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd>
<p class="found" id="found" role="status"></p>
<ul class="results"></ul>
</div>
<ul class="pages">
${pages.map((page) => {
  const isCurrent = page === current;
  const href = pageUrl(page.name);
  return html`<li><a class="contents-group" href="${href}"${isCurrent ? html` aria-current="page"` : ''}>${page.title}</a>${
    isCurrent && page.sections.length > 0
      ? html`<ul>${page.sections.map(
          ({ id, title, httpMethod, isPart }) =>
            html`<li><a${isPart ? html` class="contents-part"` : ''} href="${href}#${id}"><span>${title}</span>${httpMethod === undefined ? '' : methodBadge(httpMethod)}</a></li>`,
        )}</ul>`
      : ''
  }</li>`;
})}
</ul>
</nav>`;
}

function pageUrl(name: string): string {
  return name === '' ? '/reference' : `/reference/${name}`;
}

function methodBadge(httpMethod: string): Html {
  return html` <span class="verb" data-verb="${httpMethod}">${httpMethod}</span>`;
}

/** All operations by group, on the start page. */
function index(groups: readonly { name: string; entries: readonly OperationEntry[] }[]): Html {
  return html`<section class="index" aria-labelledby="index-title">
<h2 id="index-title">All operations</h2>
<div class="index-groups">${groups.map(
    ({ name, entries }) => html`<div>
<h3><a href="${pageUrl(pageName(name))}">${name}</a></h3>
<ul>${entries.map(({ href, summary, method }) => html`<li><a href="${href}">${methodBadge(method)} <span>${summary}</span></a></li>`)}</ul>
</div>`,
  )}</div>
</section>`;
}
