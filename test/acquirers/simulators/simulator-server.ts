import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Call, mismatches, type Operation } from './contract.ts';
import { type FaultError, faults, type Plan, Script, type SimulatorResponse } from './faults.ts';
import { type PageResponse, postPage } from './pages.ts';
import { maskedHeaders, record, type RecordedRequest, requestLog } from './recorder.ts';

/** A request, response or webhook that breaks the contract. */
interface Violation {
  vendor: string;
  /** `POST /payments`, or the event of a webhook. */
  where: string;
  reasons: readonly string[];
}

/** An operation and its handler. */
export interface Route<Outcome extends string> {
  operation: Operation;
  handle: (call: never, plan: Plan<Outcome>) => SimulatorResponse;
}

/** Connects an operation of the contract to its handler, with typed requests. */
export function route<Served extends Operation, Outcome extends string>(
  operation: Served,
  respond: (call: Call<Served>, plan: Plan<Outcome>) => SimulatorResponse,
): Route<Outcome> {
  return { operation, handle: respond };
}

/** Options of every vendor server. */
export interface SimulatorOptions {
  /** The current time in milliseconds. */
  now: () => number;
  /** Called for each violation, to fail the test where it happens. */
  onViolation?: (violation: Violation) => void;
  /** The test breaks the contract on purpose: requests are not recorded, and `close` accepts violations. */
  mayViolate?: boolean;
  /** File that requests are appended to. */
  log?: string;
}

interface SimulatorDefinition<Outcome extends string> extends SimulatorOptions {
  vendor: string;
  /** Path of the API on the server: `/v71`. */
  base: string;
  routes: readonly Route<Outcome>[];
  /** The response to a request without valid credentials; null if they are valid. */
  authenticate: (headers: IncomingMessage['headers']) => SimulatorResponse | null;
  /** The response to a request that breaks the contract. */
  reject: (reasons: readonly string[]) => SimulatorResponse;
  fail: (error: Exclude<FaultError, 'gateway'>) => SimulatorResponse;
  /** Runs before the operation: rate limits, repeated keys. Its response replaces the operation's. */
  intercept?: (call: Call, work: () => SimulatorResponse) => SimulatorResponse;
  /** The page at a path, as the buyer's browser sees it. */
  page: (path: string, method: string, form: URLSearchParams) => PageResponse | null;
}

/** Opens a vendor's server on a free loopback port: HTTP, contract, script, recording, pages. */
export async function openSimulatorServer<Outcome extends string>(definition: SimulatorDefinition<Outcome>) {
  const { vendor, base, routes, onViolation, mayViolate = false, log = requestLog } = definition;
  const violations: Violation[] = [];
  const requests: RecordedRequest[] = [];
  const script = new Script<Outcome>();
  const held: (() => void)[] = [];
  const arrivals: { name: string; arrived: () => void }[] = [];

  function violate(where: string, reasons: readonly string[]): void {
    const violation = { vendor, where, reasons };
    violations.push(violation);
    onViolation?.(violation);
  }

  /** Throws for a name that no operation has: its plan would wait forever. */
  function known(name: string): string {
    if (!routes.some(({ operation }) => operation.name === name)) throw new Error(`${vendor} has no operation ${name}`);
    return name;
  }

  /** Throws with every violation. */
  function assertClean(): void {
    if (violations.length === 0) return;
    const lines = violations.map(({ where, reasons }) => `${where}: ${reasons.join('; ')}`);
    throw new Error(`${vendor}: ${violations.length} violations of the contract\n${lines.join('\n')}`);
  }

  function find(method: string, path: string) {
    for (const candidate of routes) {
      const values = candidate.operation.method === method ? matchPath(candidate.operation.path, path) : null;
      if (values) return { ...candidate, values };
    }
    return null;
  }

  function handle(incoming: IncomingMessage, text: string, response: ServerResponse): void {
    const url = new URL(incoming.url ?? '/', 'http://vendor.invalid');
    const method = incoming.method ?? 'GET';
    if (url.pathname.startsWith('/pages/')) return sendPage(response, url.pathname, method, text);
    // Browsers also request it.
    if (url.pathname === '/favicon.ico') return void response.writeHead(404).end();
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : url.pathname;
    const found = find(method, path);
    const body = parseJson(text);
    const name = found?.operation.api ? `${vendor}-${found.operation.api}` : vendor;
    const recorded = { vendor: name, method, path, headers: maskedHeaders(incoming.headers), body: body ?? null };
    requests.push(recorded);
    if (!mayViolate) record(log, recorded);
    const where = `${method} ${path}`;
    if (!found) {
      violate(where, ['the contract has no such operation']);
      return send(response, definition.reject(['unknown operation']));
    }
    const { operation, handle, values } = found;
    const refused = definition.authenticate(incoming.headers);
    if (refused) return send(response, checked(operation, where, refused));
    const query = Object.fromEntries(url.searchParams);
    const reasons = [
      ...mismatches(operation.headers, incoming.headers).map((reason) => `headers${reason}`),
      ...mismatches(operation.query, query).map((reason) => `query${reason}`),
      ...(url.searchParams.size === Object.keys(query).length ? [] : ['query has a parameter twice']),
      ...mismatches(operation.body, body),
    ];
    const plan = script.take(operation.name);
    const { isCarriedOut, delivery, ...failure } = faults[plan.fault ?? 'none'];
    if (reasons.length > 0) violate(where, reasons);
    const call: Call = { operation, path: values, query, body, headers: incoming.headers };
    const carryOut = () => checked(operation, where, handle(call as never, plan));
    const work = () => {
      if (reasons.length > 0) return definition.reject(reasons);
      return definition.intercept ? definition.intercept(call, carryOut) : carryOut();
    };
    const done = isCarriedOut ? work() : null;
    const sent = 'error' in failure ? errorResponse(failure.error) : done;
    if (delivery === 'response' && sent) send(response, sent);
    if (delivery === 'hold' && sent) held.push(() => send(response, sent));
    if (delivery === 'cut') response.destroy();
    if (delivery === 'half' && sent) sendHalf(response, sent);
    if (delivery === 'malformed' && sent) send(response, { ...sent, body: `${encode(sent).slice(0, -1)},` });
    if (delivery === 'trickle' && sent) sendSlowly(response, sent);
    for (const { arrived } of arrivals.filter((arrival) => arrival.name === operation.name)) arrived();
  }

  function checked(operation: Operation, where: string, response: SimulatorResponse): SimulatorResponse {
    const schema = operation.responses[response.status];
    const reasons = schema ? mismatches(schema, response.body) : ['no such status'];
    if (reasons.length > 0) violate(`response ${response.status} to ${where}`, reasons);
    return response;
  }

  function errorResponse(error: FaultError): SimulatorResponse {
    if (error !== 'gateway') return definition.fail(error);
    const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';
    return { status: 502, body: html, headers: { 'content-type': 'text/html' } };
  }

  function sendPage(response: ServerResponse, path: string, method: string, text: string): void {
    const page = definition.page(path.slice('/pages/'.length), method, new URLSearchParams(text));
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (!page) response.writeHead(404).end();
    else if (page.kind === 'html') response.writeHead(200, html).end(page.html);
    else if (page.navigation.method === 'POST') response.writeHead(200, html).end(postPage(page.navigation));
    else response.writeHead(303, { location: page.navigation.url }).end();
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => handle(incoming, Buffer.concat(chunks).toString('utf8'), response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    /** Base address of the API. */
    url: `${origin}${base}`,
    /** Address of the pages for buyers. */
    origin,
    violations,
    requests,
    violate,
    /** Plans the next calls of an operation. */
    next(name: string, plan: Plan<Outcome>, times = 1): void {
      script.next(known(name), plan, times);
    },
    reset: script.reset.bind(script),
    /** Resolves when the next request of an operation has arrived and is carried out. */
    async waitForRequest(name: string): Promise<void> {
      await new Promise<void>((arrived) => arrivals.push({ name: known(name), arrived }));
    },
    /** Sends the responses held back by `late`; returns their number. */
    releaseResponses(): number {
      const waiting = held.splice(0);
      for (const result of waiting) result();
      return waiting.length;
    },
    assertClean,
    /** Closes the server. Fails if a request, response or webhook broke the contract. */
    async close(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      if (!mayViolate) assertClean();
    },
  };
}

function matchPath(template: string, path: string): Record<string, string> | null {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith('{') && value !== '') values[part.slice(1, -1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return values;
}

/** Undefined for an empty body; the text if it is not JSON, which no schema accepts. */
function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function encode({ body }: SimulatorResponse): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function send(response: ServerResponse, result: SimulatorResponse): void {
  response.writeHead(result.status, { 'content-type': 'application/json', ...result.headers }).end(encode(result));
}

function sendHalf(response: ServerResponse, result: SimulatorResponse): void {
  const body = encode(result);
  response.writeHead(result.status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

/** Sends the body in small parts, each in its own packet. */
function sendSlowly(response: ServerResponse, result: SimulatorResponse): void {
  const body = Buffer.from(encode(result));
  const size = Math.ceil(body.length / 20);
  response.writeHead(result.status, { 'content-type': 'application/json', 'content-length': body.length });
  const sendFrom = (start: number) => {
    if (start >= body.length) response.end();
    else response.write(body.subarray(start, start + size), () => setTimeout(sendFrom, 1, start + size));
  };
  sendFrom(0);
}
