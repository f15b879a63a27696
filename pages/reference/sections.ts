import { html } from 'hono/html';
import { problemCatalog, type ProblemCode } from '../../src/api/problem.ts';
import {
  type ApiDocument,
  type DocumentedExample,
  type OperationEntry,
  type Parameter,
  resolveReference,
  type Schema,
  type WebhookEntry,
} from './document.ts';
import { describeType } from './describe-type.ts';
import { type Grammar, highlight } from './highlight.ts';
import { type Sample, sampleLanguages, type SampleRequest, samplesOf, tokenSamples } from './samples.ts';

export type Html = ReturnType<typeof html>;

/** Longer lists of values are collapsed. */
const MAX_VISIBLE_VALUES = 20;
/** Objects with more fields are collapsed. */
const MAX_VISIBLE_FIELDS = 8;

/** Renders the sections of the reference. */
export class SectionRenderer {
  readonly #document: ApiDocument;
  readonly #baseUrl: string;
  /** Problems that at least half of the operations can return. */
  readonly #commonProblems: ReadonlySet<string>;
  readonly #entries: readonly OperationEntry[];

  constructor(document: ApiDocument, entries: readonly OperationEntry[]) {
    this.#document = document;
    this.#entries = entries;
    this.#baseUrl = document.servers[0]?.url ?? '';
    const operationCount = (code: string) => entries.filter(({ problems }) => problems.includes(code)).length;
    const codes = new Set(entries.flatMap(({ problems }) => problems));
    this.#commonProblems = new Set([...codes].filter((code) => operationCount(code) >= entries.length / 2));
  }

  start(): Html {
    const { info, components } = this.#document;
    const { scopes } = components.securitySchemes.clientCredentials.flows.clientCredentials;
    const key = components.parameters['Idempotency-Key'];
    return html`<section class="start" aria-labelledby="start-title">
<div class="text">
<h1 id="start-title">${info.title} API</h1>
${info.description.split('\n\n').map((paragraph) => html`<p>${renderCode(paragraph)}</p>`)}
<dl class="facts">
<div><dt>Base URL</dt><dd><code>${this.#baseUrl}</code></dd></div>
<div><dt>OpenAPI 3.1</dt><dd><a href="/openapi.json">openapi.json</a></dd></div>
</dl>
<h2>Authentication</h2>
<p>Send an access token with every call: <code>Authorization: Bearer</code>. Create tokens in the <a href="/account">account area</a> under Integration, and keep them on your servers. A token has scopes, and each operation lists the scope that it needs.</p>
<details><summary>Scopes</summary>
<dl class="fields">${Object.entries(scopes).map(
      ([scope, meaning]) => html`<div><dt><code>${scope}</code></dt><dd>${meaning}</dd></div>`,
    )}</dl>
</details>
<h2>Retry a request</h2>
<p>${renderCode(`You can safely retry every \`POST\` that accepts the header \`Idempotency-Key\`. ${key?.description ?? ''}`)}</p>
</div>
<div class="examples">
${samplesFigure('Get an access token, valid for one hour', tokenSamples(this.#baseUrl))}
${this.#samples('Call the API with a token', {
  ...{ id: 'listPreferences', method: 'GET', path: '/v1/merchant/preferences', isFile: false },
  ...{ query: {}, body: undefined },
})}
</div>
</section>`;
  }

  operation(entry: OperationEntry): Html {
    const { id, method, path, query } = entry;
    return html`<section class="operation" id="${id}" data-method="${method}" data-path="${path}" data-query="${query.map(({ name }) => name).join(' ')}">
<div class="text">${this.operationText(entry)}</div>
<div class="examples">${entry.examples.map((example, index) => this.#example(entry, example, index))}</div>
</section>`;
  }

  /** An operation without its examples. */
  operationText(entry: OperationEntry): Html {
    const { id, method, path, summary, description, headers, query, body, response } = entry;
    const hasBody = body !== null && Object.keys(resolveReference(this.#document, body).properties ?? {}).length > 0;
    return html`<h2><a href="#${id}">${summary}</a></h2>
<p class="endpoint"><span class="verb" data-verb="${method}">${method}</span> <code>${breakable(path)}</code></p>
${description.map((paragraph) => html`<p>${renderCode(paragraph)}</p>`)}
${query.length > 0 ? this.#parameters('Query', query) : ''}
${hasBody ? html`<h3>Body</h3>${this.#fields(body)}` : ''}
${headers.length > 0 ? this.#parameters('Header', headers) : ''}
<h3>Response</h3>
${this.#fieldsOrCount(summary, response)}
${this.#problemSection(entry)}`;
  }

  webhookRequests(entries: readonly WebhookEntry[]): Html {
    return html`<section class="start" aria-labelledby="webhook-requests">
<div class="text">
<p>${renderCode(
      'Each event is sent as a `POST` with a JSON body to your webhook endpoints. Respond with 2xx, also to unknown types.',
    )}</p>
<h2 id="webhook-requests">Headers</h2>
${this.#parameterList(entries[0]?.headers ?? [])}
<h2>Body</h2>
<dl class="fields">
${this.#field('type', { type: 'string', description: 'Event type' }, true)}
${this.#field('timestamp', { type: 'string', format: 'date-time', description: 'Time of the event' }, true)}
${this.#field('data', { type: 'object', description: 'Fields of the event type, listed below' }, true)}
</dl>
</div>
<div class="examples">${verificationSamples()}</div>
</section>`;
  }

  webhook(entry: WebhookEntry): Html {
    const text = JSON.stringify(entry.example, null, 2);
    return html`<section class="webhook" id="${entry.id}">
<div class="text">${this.webhookText(entry)}</div>
<div class="examples">${codeFigure(`Example of ${entry.type}`, 'json', text)}</div>
</section>`;
  }

  /** A webhook without its example. */
  webhookText({ id, type, summary, description, body }: WebhookEntry): Html {
    const { data = {} } = resolveReference(this.#document, body).properties ?? {};
    return html`<h2><a href="#${id}">${summary}</a></h2>
<p class="endpoint"><code>${type}</code></p>
<p>${renderCode(description)}</p>
<h3>Data</h3>
${this.#fieldsOrCount(summary, data)}`;
  }

  #parameters(heading: string, parameters: readonly Parameter[]): Html {
    return html`<h3>${heading}</h3>
${this.#parameterList(parameters)}`;
  }

  #parameterList(parameters: readonly Parameter[]): Html {
    return html`<dl class="fields">${parameters.map(({ name, required, description, schema }) =>
      this.#field(name, { ...schema, ...(description !== undefined && { description }) }, required),
    )}</dl>`;
  }

  /** Fields of an object; collapsed if there are many. */
  #fieldsOrCount(summary: string, schema: Schema): Html {
    const count = Object.keys(resolveReference(this.#document, schema).properties ?? {}).length;
    if (count <= MAX_VISIBLE_FIELDS) return this.#fields(schema);
    return html`<details><summary>${count} fields<span class="visually-hidden"> (${summary})</span></summary>${this.#fields(schema)}</details>`;
  }

  /** Fields of an object, or of each variant of an object. */
  #fields(schemaOrReference: Schema): Html {
    const schema = resolveReference(this.#document, schemaOrReference);
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
    const { properties = {} } = resolveReference(this.#document, schemaOrReference);
    const discriminator = Object.entries(properties).find(
      ([, each]) => each.const !== undefined || each.enum !== undefined,
    );
    if (!discriminator) return html`Or`;
    const [name, { const: only, enum: valueList }] = discriminator;
    const words = only === undefined ? (valueList ?? []).map(String) : [String(only)];
    return html`Where <code>${name}</code> is ${words.map((word, index) => html`${index === 0 ? '' : index === words.length - 1 ? ' or ' : ', '}<code>${word}</code>`)}`;
  }

  #field(name: string, schemaOrReference: Schema, isRequired: boolean): Html {
    const schema = resolveReference(this.#document, schemaOrReference);
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

  /** The object schema of a field or of its list items. */
  #nestedObject(schema: Schema): Schema | null {
    const each = schema.items ? resolveReference(this.#document, schema.items) : schema;
    return each.properties && Object.keys(each.properties).length > 0 ? each : null;
  }

  #problemSection({ problems }: OperationEntry): Html {
    const specific = problems.filter((code) => !this.#commonProblems.has(code));
    const common = problems.filter((code) => this.#commonProblems.has(code));
    return html`<h3>Errors</h3>
${specific.length > 0 ? problemList(specific) : ''}
<details><summary>Common errors</summary>${problemList(common)}</details>`;
  }

  #example(entry: OperationEntry, { summary, query, body, response }: DocumentedExample, index: number): Html {
    const responseText = typeof response === 'string' ? response.trim() : JSON.stringify(response, null, 2);
    const label = `Response to “${summary}” (${index + 1})`;
    return html`<div class="example" data-values="${JSON.stringify({ query, body })}">
${this.#samples(summary, { ...entry, query, body })}
${codeFigure('Response', entry.isFile ? null : 'json', responseText, label)}
</div>`;
  }

  /** A request in each language. */
  #samples(title: string, request: Omit<SampleRequest, 'baseUrl'>): Html {
    const texts = sampleLanguages.map(({ write, ...language }) => ({
      ...language,
      text: write({ ...request, baseUrl: this.#baseUrl }),
    }));
    return samplesFigure(title, texts);
  }

  problems(): Html {
    return html`<h1>Errors</h1>
<p class="lead">${renderCode(
      'Every error is an `application/problem+json` document (RFC 9457). Rely on `code`, which is stable; the text of `title` and `detail` can change. `errors` lists all invalid fields of a request. Include `request_id`, which is also in the header `Request-Id`, when you contact support.',
    )}</p>
${this.#problemFields()}
${Object.entries(problemCatalog).map(
  ([code, { status, title, retryable, cause, remedy }]) => html`<section class="problem" id="problem-${code}">
<h2><a href="#problem-${code}"><code>${code}</code></a></h2>
<p class="problem-title"><span class="status">${status}</span> ${title}</p>
<p>${renderCode(cause)}</p>
<p>${renderCode(remedy)}</p>
<p class="quiet">${retryable ? 'The same request may succeed later.' : 'The same request will not succeed.'}</p>
${this.#returnedBy(code as ProblemCode)}
</section>`,
)}`;
  }

  #problemFields(): Html {
    const schema = this.#document.components.schemas['Problem'];
    return html`<details class="problem-fields"><summary>Fields of an error</summary>${schema ? this.#fields(schema) : ''}</details>`;
  }

  #returnedBy(code: ProblemCode): Html {
    if (this.#commonProblems.has(code)) return html`<p class="quiet">Returned by most operations.</p>`;
    const entries = this.#entries.filter(({ problems }) => problems.includes(code));
    if (entries.length === 0) return html`<p class="quiet">Returned only by other endpoints and pages.</p>`;
    const links = entries.map(({ id, href }, index) => html`${index === 0 ? '' : ', '}<a href="${href}">${id}</a>`);
    if (entries.length <= MAX_VISIBLE_FIELDS) return html`<p class="quiet">Returned by ${links}.</p>`;
    return html`<details><summary>Returned by ${entries.length} operations<span class="visually-hidden"> (${code})</span></summary><p class="quiet">${links}</p></details>`;
  }
}

function problemList(codes: readonly string[]): Html {
  return html`<ul class="codes">${codes.map(
    (code) =>
      html`<li><a href="/reference/problems#problem-${code}"><span class="status">${problemCatalog[code as ProblemCode].status}</span> <code>${code}</code></a></li>`,
  )}</ul>`;
}

function values(all: readonly (string | number)[]): Html {
  const list = html`<p class="values">${all.map((value) => html`<code>${value}</code> `)}</p>`;
  if (all.length <= MAX_VISIBLE_VALUES) return list;
  return html`<details><summary>${all.length} values</summary>${list}</details>`;
}

/** Samples of one request. The choice in the bar shows one of them; the labels change that choice. */
function samplesFigure(title: string, samples: readonly Sample[]): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption>
<div class="tabs" aria-hidden="true">${samples.map(({ id, name }) => html`<label for="language-${id}" data-language="${id}">${name}</label>`)}</div>
${samples.map(({ id, name, grammar, text }) => html`<pre tabindex="0" role="group" aria-label="${title}: ${name}" data-language="${id}"><code>${highlight(text, grammar)}</code></pre>`)}</figure>`;
}

/** A code block. The script adds the copy button. `label` is the name of its scroll area. */
function codeFigure(title: string, grammar: Grammar | null, content: string, label = title): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0" role="group" aria-label="${label}"><code>${grammar === null ? content : highlight(content, grammar)}</code></pre></figure>`;
}

/** Verification with the client and the SDKs. */
function verificationSamples(): Html {
  const typescript = `import { verifyWebhook } from '@paylatch/client';

const key = process.env.WEBHOOK_SECRET ?? '';
// Throws if the webhook is not valid. Pass the raw body.
const event = await verifyWebhook({ headers, body: rawBody }, { key, merchantId: 1 });`;
  const python = `import os
from paylatch import WebhookVerifier

verifier = WebhookVerifier(os.environ["WEBHOOK_SECRET"], merchant_id=1)
# Raises an exception if the signature is not valid. Pass the raw body.
event = verifier.verify(headers, raw_body)`;
  const php = `$verifier = new \\Paylatch\\WebhookVerifier(getenv('WEBHOOK_SECRET'), merchantId: 1);
// Throws if the signature is not valid. Pass the raw body.
$event = $verifier->verify($headers, $rawBody);`;
  const shell = `# Prints and verifies the webhooks that arrive
npx paylatch webhooks listen --secret "$WEBHOOK_SECRET"`;
  const texts = { curl: shell, typescript, python, php };
  return samplesFigure('Verify a webhook', samplesOf(texts));
}

/** Allows line breaks after slashes in long paths. */
function breakable(path: string): Html {
  return html`${path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`)}`;
}

/** Converts `code` spans to HTML. */
function renderCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
