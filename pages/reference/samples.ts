import type { Grammar } from './highlight.ts';

/** An example request, as the reference shows it in each language. */
export interface SampleRequest {
  /** Operation ID, which is the name of the client's method. */
  id: string;
  method: string;
  baseUrl: string;
  path: string;
  query: Readonly<Record<string, unknown>>;
  /** Undefined without a body. */
  body: unknown;
  /** True if the response is a file and not JSON. The client has no method for it. */
  isFile: boolean;
}

/** Languages of the samples. `grammar` is the name of the syntax in the highlighter. */
export const sampleLanguages = [
  { id: 'curl', name: 'curl', grammar: 'bash', write: curlSample },
  { id: 'typescript', name: 'TypeScript', grammar: 'typescript', write: typescriptSample },
  { id: 'python', name: 'Python', grammar: 'python', write: pythonSample },
  { id: 'php', name: 'PHP', grammar: 'php', write: phpSample },
] as const;

/** A sample in one language. */
export interface Sample {
  id: string;
  name: string;
  grammar: Grammar;
  text: string;
}

/** Samples in the order of the languages. */
export function samplesOf(texts: Readonly<Record<(typeof sampleLanguages)[number]['id'], string>>): Sample[] {
  return sampleLanguages.map(({ id, name, grammar }) => ({ id, name, grammar, text: texts[id] }));
}

/** The exchange of a client's secret for access tokens. The client and the SDKs renew them. */
export function tokenSamples(baseUrl: string): Sample[] {
  return samplesOf({
    curl: `curl ${baseUrl}/oauth/token \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials`,
    typescript: `import { clientCredentials, createClient } from '@paylatch/client';

const baseUrl = ${quoted(baseUrl)};
// Gets a token with the first call, and a new one before it expires.
const token = clientCredentials({
  baseUrl,
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
});
const paylatch = createClient({ baseUrl, token });`,
    python: `import os
from paylatch import ClientCredentials, Paylatch

base_url = ${JSON.stringify(baseUrl)}
# Gets a token with the first call, and a new one before it expires.
token = ClientCredentials(
    base_url=base_url,
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
)
paylatch = Paylatch(base_url=base_url, token=token)`,
    php: `use Paylatch\\ClientCredentials;
use Paylatch\\Paylatch;

$baseUrl = ${quoted(baseUrl)};
// Gets a token with the first call, and a new one before it expires.
$token = new ClientCredentials($baseUrl, getenv('CLIENT_ID'), getenv('CLIENT_SECRET'));
$paylatch = new Paylatch($baseUrl, $token);`,
  });
}

/** Address of a request with its query. */
function urlOf({ baseUrl, path, query }: SampleRequest): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return baseUrl + path + (search === '' ? '' : `?${search}`);
}

function curlSample(request: SampleRequest): string {
  const { method, body } = request;
  const url = urlOf(request);
  const defaultMethod = body === undefined ? 'GET' : 'POST';
  return [
    `curl ${method === defaultMethod ? '' : `-X ${method} `}${/[?&]/.test(url) ? `'${url}'` : url}`,
    '-H "Authorization: Bearer $ACCESS_TOKEN"',
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
        ]),
  ].join(' \\\n  ');
}

function typescriptSample(request: SampleRequest): string {
  const { id, baseUrl, query, body, isFile } = request;
  if (isFile) {
    return `const response = await fetch(${quoted(urlOf(request))}, {
  headers: { authorization: \`Bearer \${process.env.ACCESS_TOKEN}\` },
});
console.log(await response.text());`;
  }
  const input = body ?? (Object.keys(query).length > 0 ? query : undefined);
  return `import { createClient } from '@paylatch/client';

const paylatch = createClient({
  baseUrl: ${quoted(baseUrl)},
  token: process.env.ACCESS_TOKEN ?? '',
});

const result = await paylatch.${id}(${input === undefined ? '' : literal(input, typescript)});`;
}

function pythonSample(request: SampleRequest): string {
  const { id, baseUrl, isFile } = request;
  if (isFile) {
    return `import os
from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(urlOf(request))},
    headers={"Authorization": f"Bearer {os.environ['ACCESS_TOKEN']}"},
)
print(urlopen(request).read().decode())`;
  }
  const method = id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `import os
from paylatch import Paylatch

paylatch = Paylatch(base_url=${JSON.stringify(baseUrl)}, token=os.environ["ACCESS_TOKEN"])

result = paylatch.${method}(${namedArguments(request, (name) => `${name}=`, python)})`;
}

function phpSample(request: SampleRequest): string {
  const { id, baseUrl, isFile } = request;
  if (isFile) {
    return `$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer ' . getenv('ACCESS_TOKEN'),
]]);
echo file_get_contents(${quoted(urlOf(request))}, false, $context);`;
  }
  return `use Paylatch\\Paylatch;

$paylatch = new Paylatch(${quoted(baseUrl)}, getenv('ACCESS_TOKEN'));

$result = $paylatch->${id}(${namedArguments(request, (name) => `${name}: `, php)});`;
}

/** The input of an operation as named arguments, one per line. */
function namedArguments({ query, body }: SampleRequest, nameOf: (name: string) => string, notation: Notation): string {
  const entries = Object.entries({ ...query, ...(body as Record<string, unknown> | undefined) });
  const { indent } = notation;
  const lines = entries.map(([name, value]) => `${indent}${nameOf(name)}${literal(value, notation, indent)},\n`);
  return lines.length > 0 ? `\n${lines.join('')}` : '';
}

/** Notation of literals in a language. */
interface Notation {
  indent: string;
  text: (value: string) => string;
  key: (name: string) => string;
  /** Opening and closing brackets of an object. */
  object: readonly [string, string];
  emptyObject: string;
  constants: Readonly<Record<'true' | 'false' | 'null', string>>;
}

/** A string in single quotes, with the escapes that TypeScript and PHP share. */
function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const typescript: Notation = {
  indent: '  ',
  text: (value) => (/[\n\r]/.test(value) ? JSON.stringify(value) : quoted(value)),
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: `,
  object: ['{', '}'],
  emptyObject: '{}',
  constants: { true: 'true', false: 'false', null: 'null' },
};

const python: Notation = {
  indent: '    ',
  text: (value) => JSON.stringify(value),
  key: (name) => `${JSON.stringify(name)}: `,
  object: ['{', '}'],
  emptyObject: '{}',
  constants: { true: 'True', false: 'False', null: 'None' },
};

const php: Notation = {
  indent: '    ',
  text: quoted,
  key: (name) => `${quoted(name)} => `,
  object: ['[', ']'],
  emptyObject: '[]',
  constants: { true: 'true', false: 'false', null: 'null' },
};

/** A JSON value as a literal. `indent` is that of its first line. */
function literal(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) {
    return notation.constants[String(value) as 'null'] ?? String(value);
  }
  const inner = indent + notation.indent;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : notation.object;
  const items = Array.isArray(value)
    ? value.map((each) => literal(each, notation, inner))
    : Object.entries(value).map(([name, each]) => notation.key(name) + literal(each, notation, inner));
  if (items.length === 0) return Array.isArray(value) ? '[]' : notation.emptyObject;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
