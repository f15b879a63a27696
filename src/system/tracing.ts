/**
 * Attributes of spans: an allow-list, so that no card data, personal data, link or token can be exported. Names follow
 * OpenTelemetry's semantic conventions where they have one.
 */
export const spanAttributes = [
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'db.system.name',
  'db.operation.name',
  'db.query.text',
  'error.type',
  'paylatch.request.id',
  'paylatch.merchant.id',
  'paylatch.acquirer',
  'paylatch.acquirer.call',
  'paylatch.job',
  'paylatch.webhook.id',
  'paylatch.webhook.type',
  'paylatch.webhook.attempt',
] as const;

export type SpanAttributes = Partial<Record<(typeof spanAttributes)[number], string | number>>;

export interface NewSpan {
  /** Has few different values: a route, never a path. */
  name: string;
  kind: 'server' | 'client' | 'consumer' | 'internal';
  attributes?: SpanAttributes;
  /** The current span by default; null starts a trace. A string is a `traceparent` (W3C Trace Context). */
  parent?: string | null;
  /** The `traceparent` of a related span in another trace. */
  link?: string | null;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  fail(errorType: string): void;
}

/** Records spans. Work that it runs, and everything that this work calls, belongs to the span. */
export interface Tracer {
  /** Runs `work` in a span. If `isKept` returns false, neither the span nor the spans within are exported. */
  trace<Result>(
    span: NewSpan,
    work: (span: Span) => Promise<Result>,
    isKept?: (result: Result) => boolean,
  ): Promise<Result>;
  /** The current span as a `traceparent`, to continue its trace in a job; null without one. */
  traceparent(): string | null;
  /** Binds a function to the current span, for work that another caller's loop runs. */
  bind<Arguments extends unknown[], Result>(work: (...args: Arguments) => Result): (...args: Arguments) => Result;
  /** Records a completed SQL statement, without its parameters, in the current span. Null: statements are not recorded. */
  recordStatement: ((statement: { sql: string; durationMs: number; error: unknown }) => void) | null;
  /** Exports the remaining spans. */
  close(): Promise<void>;
}

const noSpan: Span = { set() {}, fail() {} };

/** Records nothing. */
export const noTracer: Tracer = {
  trace: async (_span, work) => await work(noSpan),
  traceparent: () => null,
  bind: (work) => work,
  recordStatement: null,
  close: () => Promise.resolve(),
};

/** The class of an error for `error.type`. Messages may contain data, so they are not exported. */
export function errorType(error: unknown): string {
  const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : { code: null, name: 'Error' };
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : name;
}
