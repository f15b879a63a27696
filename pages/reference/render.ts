import { html } from 'hono/html';
import { problemCatalogue, type ProblemCode } from '../../src/api/problem.ts';
import type { PageAsset } from '../assets.ts';
import { htmlDocument } from '../html-document.ts';
import {
  type ApiDocument,
  operationEntries,
  type OperationEntry,
  type Parameter,
  resolve,
  type Schema,
  type WebhookEntry,
  webhookEntries,
} from './document.ts';
import { describeType } from './describe-type.ts';

type Html = ReturnType<typeof html>;

/** Longer lists of values are collapsed. */
const MAX_VISIBLE_VALUES = 20;
/** Responses with more lines or fields are collapsed. */
const MAX_VISIBLE_LINES = 30;
const MAX_VISIBLE_FIELDS = 8;

/**
 * Renders the API's document as one page. All content is in the HTML, with an anchor for each operation
 * (`#createTransaction`) and problem (`#problem-not_found`). The script adds only search and copy buttons.
 */
export function renderReference(document: ApiDocument, asset: PageAsset): string {
  const entries = operationEntries(document);
  const groups = document.tags.map(({ name }) => ({ name, entries: entries.filter(({ group }) => group === name) }));
  const webhooks = webhookEntries(document);
  const baseUrl = document.servers[0]?.url ?? '';
  const renderer = new ReferenceRenderer(document, entries, baseUrl);
  const body = html`<a class="skip" href="#start">Skip to the content</a>
<header class="bar">
<a class="bar-name" href="#start">${document.info.title} API</a>
<span class="bar-version">${document.info.version}</span>
<button class="bar-contents" type="button" popovertarget="contents">Contents</button>
</header>
<div class="page">
${contents(groups, webhooks)}
<main>
${renderer.start()}
${groups.map(
  ({
    name,
    entries,
  }) => html`<section class="group" id="${groupAnchor(name)}" aria-labelledby="${groupAnchor(name)}-title">
<h2 id="${groupAnchor(name)}-title">${name}</h2>
${entries.map((entry) => renderer.operation(entry))}
</section>`,
)}
${renderer.webhooks(webhooks)}
${renderer.problems()}
<p class="nothing" hidden>No matches. Try fewer words.</p>
</main>
</div>`;
  return htmlDocument({
    locale: 'en',
    direction: 'ltr',
    title: `${document.info.title} API reference`,
    asset,
    body: toHtmlText(body),
  });
}

function toHtmlText(rendered: Html): string {
  if (rendered instanceof Promise) throw new Error('The reference must render synchronously');
  return rendered.toString();
}

function groupAnchor(group: string): string {
  return group.toLowerCase().replaceAll(' ', '-');
}

function contents(
  groups: readonly { name: string; entries: readonly OperationEntry[] }[],
  webhooks: readonly WebhookEntry[],
): Html {
  return html`<nav class="contents" id="contents" popover aria-label="Contents">
<div class="find" hidden>
<label for="find">Find</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" enterkeyhint="search" aria-describedby="found">
<p class="found" id="found" role="status"></p>
</div>
<ul>
<li><a class="contents-group" href="#start">Start</a></li>
${groups.map(
  ({ name, entries }) => html`<li><a class="contents-group" href="#${groupAnchor(name)}">${name}</a>
<ul>${entries.map(({ id, method, summary }) => html`<li><a href="#${id}"><span>${summary}</span> <span class="verb">${method}</span></a></li>`)}</ul></li>`,
)}
<li><a class="contents-group" href="#webhooks">Webhooks</a>
<ul>${webhooks.map(({ id, type }) => html`<li><a href="#${id}">${type}</a></li>`)}</ul></li>
<li><a class="contents-group" href="#problems">Problems</a></li>
</ul>
</nav>`;
}

/** Renders the sections of one document. */
class ReferenceRenderer {
  readonly #document: ApiDocument;
  readonly #baseUrl: string;
  /** Problems that at least half of the operations can return. */
  readonly #commonProblems: ReadonlySet<string>;
  readonly #entries: readonly OperationEntry[];

  constructor(document: ApiDocument, entries: readonly OperationEntry[], baseUrl: string) {
    this.#document = document;
    this.#entries = entries;
    this.#baseUrl = baseUrl;
    const operationCount = (code: string) => entries.filter(({ problems }) => problems.includes(code)).length;
    const codes = new Set(entries.flatMap(({ problems }) => problems));
    this.#commonProblems = new Set([...codes].filter((code) => operationCount(code) >= entries.length / 2));
  }

  start(): Html {
    const { info, components } = this.#document;
    const { scopes } = components.securitySchemes.clientCredentials.flows.clientCredentials;
    const key = components.parameters['Idempotency-Key'];
    return html`<section class="start" id="start" aria-labelledby="start-title" tabindex="-1">
<div class="text">
<h1 id="start-title">${info.title} API</h1>
<p>${renderCode(info.description)}</p>
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${this.#baseUrl}</code></dd></div>
<div><dt>Document</dt><dd><a href="/openapi.json">openapi.json</a>, OpenAPI 3.1</dd></div>
</dl>
<h2>Access tokens</h2>
<p>Send an access token with every call: <code>Authorization: Bearer</code>. A token has scopes, and each operation lists the scope that it needs. Keep tokens on your servers.</p>
<dl class="fields">${Object.entries(scopes).map(
      ([scope, meaning]) => html`<div><dt><code>${scope}</code></dt><dd>${meaning}</dd></div>`,
    )}</dl>
<h2>Retry a request</h2>
<p>${renderCode(`You can safely retry every \`POST\` that accepts the header \`Idempotency-Key\`. ${key?.description ?? ''}`)}</p>
</div>
<div class="examples">
${code(
  'Get an access token, valid for one hour',
  `curl ${this.#baseUrl}/oauth/token \\\n  -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials`,
)}
${code('Call the API with a token', `curl ${this.#baseUrl}/v1/merchant/preferences \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`)}
</div>
</section>`;
  }

  operation(entry: OperationEntry): Html {
    const { id, method, path, summary, description, headers, query, body, response, examples } = entry;
    const hasBody = body !== null && Object.keys(resolve(this.#document, body).properties ?? {}).length > 0;
    return html`<section class="operation" id="${id}" data-finds>
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="endpoint"><span class="verb">${method}</span> <code>${breakable(path)}</code></p>
${description.map((paragraph) => html`<p>${renderCode(paragraph)}</p>`)}
${query.length > 0 ? this.#parameters('Query', query) : ''}
${hasBody ? html`<h4>Body</h4>${this.#fields(body)}` : ''}
${headers.length > 0 ? this.#parameters('Header', headers) : ''}
<h4>Response</h4>
${this.#response(summary, response)}
${this.#problemSection(entry)}
</div>
<div class="examples">${examples.map((example, index) => this.#example(entry, example, index))}</div>
</section>`;
  }

  webhooks(entries: readonly WebhookEntry[]): Html {
    const headers = entries[0]?.headers ?? [];
    return html`<section class="group" id="webhooks" aria-labelledby="webhooks-title">
<h2 id="webhooks-title">Webhooks</h2>
<p class="lead">${renderCode(
      'Requests to your `callback-url`: `POST` with a JSON body. Each event type has its own `data`; respond with 2xx to unknown types.',
    )}</p>
<div class="text webhook-headers">
<h3>Headers</h3>
${this.#parameterList(headers)}
</div>
${entries.map(
  ({ id, type, summary, description, body }) => html`<section class="webhook" id="${id}" data-finds>
<div class="text">
<h3><a href="#${id}">${summary}</a></h3>
<p class="endpoint"><code>${type}</code></p>
<p>${renderCode(description)}</p>
<h4>Body</h4>
${this.#fields(body)}
</div>
</section>`,
)}
</section>`;
  }

  #parameters(heading: string, parameters: readonly Parameter[]): Html {
    return html`<h4>${heading}</h4>
${this.#parameterList(parameters)}`;
  }

  #parameterList(parameters: readonly Parameter[]): Html {
    return html`<dl class="fields">${parameters.map(({ name, required, description, schema }) =>
      this.#field(name, { ...schema, ...(description !== undefined && { description }) }, required),
    )}</dl>`;
  }

  #response(summary: string, response: Schema): Html {
    const count = Object.keys(resolve(this.#document, response).properties ?? {}).length;
    if (count <= MAX_VISIBLE_FIELDS) return this.#fields(response);
    return html`<details><summary>${count} fields<span class="visually-hidden"> (${summary})</span></summary>${this.#fields(response)}</details>`;
  }

  /** Fields of an object, or of each variant of an object. */
  #fields(schemaOrReference: Schema): Html {
    const schema = resolve(this.#document, schemaOrReference);
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants) {
      return html`${variants.map((each) => html`<p class="variant">${this.#variant(each)}</p>${this.#fields(each)}`)}`;
    }
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties);
    return html`<dl class="fields">${fields.map(([name, property]) =>
      this.#field(name, property, required.includes(name)),
    )}</dl>`;
  }

  /** Condition that identifies one of several variants. */
  #variant(schemaOrReference: Schema): Html {
    const { properties = {} } = resolve(this.#document, schemaOrReference);
    const discriminator = Object.entries(properties).find(
      ([, each]) => each.const !== undefined || each.enum !== undefined,
    );
    if (!discriminator) return html`Or`;
    const [name, { const: only, enum: valueList }] = discriminator;
    const words = only === undefined ? (valueList ?? []).map(String) : [String(only)];
    return html`Where <code>${name}</code> is ${words.map((word, index) => html`${index === 0 ? '' : index === words.length - 1 ? ' or ' : ', '}<code>${word}</code>`)}`;
  }

  #field(name: string, schemaOrReference: Schema, isRequired: boolean): Html {
    const schema = resolve(this.#document, schemaOrReference);
    const inside = this.#nestedObject(schema);
    const description = schemaOrReference.description ?? schema.description;
    return html`<div><dt><code>${name}</code> <span class="type">${describeType(this.#document, schemaOrReference)}</span>${
      isRequired ? '' : html` <span class="optional">optional</span>`
    }</dt>
<dd>${description === undefined ? '' : html`<p>${renderCode(description)}</p>`}${schema.enum ? values(schema.enum) : ''}${
      inside
        ? html`<details><summary>Fields<span class="visually-hidden"> (${name})</span></summary>${this.#fields(inside)}</details>`
        : ''
    }</dd></div>`;
  }

  /** The object in a field or in its list. */
  #nestedObject(schema: Schema): Schema | null {
    const each = schema.items ? resolve(this.#document, schema.items) : schema;
    return each.properties && Object.keys(each.properties).length > 0 ? each : null;
  }

  #problemSection({ problems }: OperationEntry): Html {
    const specific = problems.filter((code) => !this.#commonProblems.has(code));
    const common = problems.filter((code) => this.#commonProblems.has(code));
    return html`<h4>Problems</h4>
${specific.length > 0 ? problemList(specific) : ''}
<details><summary>Common problems</summary>${problemList(common)}</details>`;
  }

  #example(
    { method, path }: OperationEntry,
    { summary, query, body, response }: OperationEntry['examples'][number],
    index: number,
  ): Html {
    const search = new URLSearchParams(query).toString();
    const address = this.#baseUrl + path + (search === '' ? '' : `?${search}`);
    const defaultMethod = body === undefined ? 'GET' : 'POST';
    const lines = [
      `curl ${method === defaultMethod ? '' : `-X ${method} `}${/[?&]/.test(address) ? `'${address}'` : address}`,
      '-H "Authorization: Bearer $ACCESS_TOKEN"',
      ...(body === undefined
        ? []
        : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
    ];
    const responseText = typeof response === 'string' ? response.trim() : JSON.stringify(response, null, 2);
    const isLong = responseText.split('\n').length > MAX_VISIBLE_LINES;
    return html`<div class="example">
${code(summary, lines.join(' \\\n  '))}
${
  isLong
    ? html`<details class="long"><summary>Response<span class="visually-hidden"> to “${summary}” (${index + 1})</span></summary>${code('Response', responseText)}</details>`
    : code('Response', responseText)
}
</div>`;
  }

  problems(): Html {
    return html`<section class="group" id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problems</h2>
<p class="lead">${renderCode(
      'Every error is an `application/problem+json` document (RFC 9457). Rely on `code`, which is stable; the text of `title` and `detail` can change. `errors` lists all invalid fields of a request. Include `request_id`, which is also in the header `Request-Id`, when you contact support.',
    )}</p>
${this.#problemFields()}
${Object.entries(problemCatalogue).map(
  ([
    code,
    { status, title, retryable, cause, remedy },
  ]) => html`<section class="problem" id="problem-${code}" data-finds>
<h3><a href="#problem-${code}"><code>${code}</code></a></h3>
<p class="problem-title"><span class="status">${status}</span> ${title}</p>
<p>${renderCode(cause)}</p>
<p>${renderCode(remedy)}</p>
<p class="quiet">${retryable ? 'The same request may succeed later.' : 'The same request will not succeed.'} ${this.#returnedBy(code as ProblemCode)}</p>
</section>`,
)}
</section>`;
  }

  #problemFields(): Html {
    const schema = this.#document.components.schemas['Problem'];
    return html`<details class="problem-fields"><summary>Fields of a problem</summary>${schema ? this.#fields(schema) : ''}</details>`;
  }

  #returnedBy(code: ProblemCode): Html {
    if (this.#commonProblems.has(code)) return html`Returned by most operations.`;
    const entries = this.#entries.filter(({ problems }) => problems.includes(code));
    if (entries.length === 0) return html`Returned only by other endpoints and pages.`;
    return html`Returned by ${entries.map(({ id }, index) => html`${index === 0 ? '' : ', '}<a href="#${id}">${id}</a>`)}.`;
  }
}

function problemList(codes: readonly string[]): Html {
  return html`<ul class="codes">${codes.map(
    (code) =>
      html`<li><a href="#problem-${code}"><span class="status">${problemCatalogue[code as ProblemCode].status}</span> <code>${code}</code></a></li>`,
  )}</ul>`;
}

function values(all: readonly (string | number)[]): Html {
  const list = html`<p class="values">${all.map((value) => html`<code>${value}</code> `)}</p>`;
  if (all.length <= MAX_VISIBLE_VALUES) return list;
  return html`<details><summary>${all.length} values</summary>${list}</details>`;
}

/** A code block. The script adds the copy button. */
function code(title: string, content: string): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre><code>${content.split('\n').map((line) => html`<span>${line}\n</span>`)}</code></pre></figure>`;
}

/** Allows line breaks after slashes in long paths. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}`;
}

/** Converts `code` spans to HTML. */
function renderCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
