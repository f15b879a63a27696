import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  createContextKey,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { describeError, type Log } from './log.ts';
import type { TracingOptions } from './tracing-settings.ts';
import { errorType, type Span, type SpanAttributes, type Tracer } from './tracing.ts';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const MAX_SQL_LENGTH = 2000;

/** Spans within a span that may be dropped. They end, and are exported, only once that span is kept. */
interface HeldSpans {
  ends: (() => void)[];
  state: 'held' | 'exported' | 'dropped';
}
const HELD = createContextKey('held spans');

/**
 * Exports spans by OTLP over HTTP. Imported only if an endpoint is configured, so that an installation without tracing
 * does not load OpenTelemetry. Nothing is registered globally.
 */
export function createOtlpTracer(
  options: TracingOptions & { databaseSystem: 'sqlite' | 'postgresql'; version: string; log: Log },
): Tracer {
  const { endpoint, headers, serviceName, resourceAttributes, sampledShare, databaseSystem, version, log } = options;
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ ...resourceAttributes, 'service.name': serviceName, 'service.version': version }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(
          new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: { ...headers } }),
          log,
        ),
      }),
    ],
  });
  const tracer = provider.getTracer('paylatch', version);
  const storage = new AsyncLocalStorage<Context>();
  const current = () => storage.getStore() ?? ROOT_CONTEXT;

  const endIn = (context: Context, end: (atMs: number) => void) => {
    const held = context.getValue(HELD) as HeldSpans | undefined;
    const atMs = performance.now();
    if (!held || held.state === 'exported') end(atMs);
    else if (held.state === 'held') held.ends.push(() => end(atMs));
  };

  return {
    async trace({ name, kind, attributes, parent, link }, work, isKept) {
      const from = parent === undefined ? current() : remoteContext(parent);
      const linked = toSpanContext(link ?? null);
      const links: Link[] = linked ? [{ context: linked }] : [];
      const span = tracer.startSpan(name, { kind: kinds[kind], links, ...(attributes && { attributes }) }, from);
      const held: HeldSpans | null = isKept ? { ends: [], state: 'held' } : null;
      const within = held ? trace.setSpan(from, span).setValue(HELD, held) : trace.setSpan(from, span);
      const reported: Span = {
        set: (more: SpanAttributes) => void span.setAttributes(more),
        fail: (type) => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
      };
      let isExported = true;
      try {
        const result = await storage.run(within, async () => await work(reported));
        isExported = isKept?.(result) ?? true;
        return result;
      } catch (error) {
        reported.fail(errorType(error));
        throw error;
      } finally {
        if (held) {
          held.state = isExported ? 'exported' : 'dropped';
          if (isExported) for (const end of held.ends) end();
          held.ends.length = 0;
        }
        if (isExported) endIn(from, (atMs) => span.end(atMs));
      }
    },
    traceparent() {
      const span = trace.getSpanContext(current());
      return span ? `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}` : null;
    },
    bind: (work) => {
      const context = storage.getStore();
      return context ? (...args) => storage.run(context, work, ...args) : work;
    },
    recordStatement({ sql, durationMs, error }) {
      const context = storage.getStore();
      // Outside a request or job: polling would outnumber all other statements.
      if (!context) return;
      const operation = /^\W*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'sql';
      const attributes: SpanAttributes = {
        'db.system.name': databaseSystem,
        'db.operation.name': operation,
        'db.query.text': withoutLiterals(sql),
        ...(error !== null && { 'error.type': errorType(error) }),
      };
      const startTime = performance.now() - durationMs;
      const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes, startTime }, context);
      if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR });
      endIn(context, (atMs) => span.end(atMs));
    },
    // A failed export is logged. It must not fail a shutdown.
    close: async () => await provider.shutdown().catch(() => undefined),
  };
}

/** Parameters are not part of the text; this removes constants that a query has written into it. */
function withoutLiterals(sql: string): string {
  return sql.replaceAll(/'(?:[^']|'')*'/g, '?').slice(0, MAX_SQL_LENGTH);
}

function remoteContext(traceparent: string | null): Context {
  const span = toSpanContext(traceparent);
  return span ? trace.setSpanContext(ROOT_CONTEXT, span) : ROOT_CONTEXT;
}

/** Parses a `traceparent`; null if it is malformed (W3C Trace Context, section 3.2). */
function toSpanContext(traceparent: string | null): SpanContext | null {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return null;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(span) ? span : null;
}

/** Logs the first of consecutive failed exports, and the recovery: a receiver that is down must not fill the log. */
function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const hasFailed = (result.code as number) !== 0;
        if (hasFailed && !isFailing) log.warn({ error: describeError(result.error) }, 'traces could not be exported');
        if (!hasFailed && isFailing) log.info('traces are exported again');
        isFailing = hasFailed;
        done(result);
      });
    },
    shutdown: async () => await exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}
