import { z } from 'zod';
import { declareSettings } from './settings.ts';

/** Uses of a client's `traceparent`: link the request's own trace to it, continue the client's trace, or ignore it. */
export type IncomingTraces = 'link' | 'parent' | 'ignore';

export interface TracingOptions {
  /** The URL of an OTLP receiver, without `/v1/traces`. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  resourceAttributes: Readonly<Record<string, string>>;
  /** The share of traces that are recorded, from 0 to 1. */
  sampledShare: number;
  incomingTraces: IncomingTraces;
}

/** `name=value` pairs, separated by commas, values percent-encoded: the form of OpenTelemetry's variables. */
const pairs = z.string().transform((list, context) => {
  try {
    const entries = list.split(',').map((entry) => /^\s*([\w.-]+)\s*=(.*)$/.exec(entry));
    if (entries.every((entry) => entry !== null))
      return Object.fromEntries(entries.map(([, name, value]) => [name, decodeURIComponent(value?.trim() ?? '')]));
  } catch {
    // Malformed percent-encoding.
  }
  context.issues.push({
    code: 'custom',
    input: list,
    message: 'must contain name=value pairs separated by commas, with percent-encoded values',
  });
  return z.NEVER;
});

/** OpenTelemetry's variables that the service reads. Null: no tracing. */
export const tracingSettings = declareSettings(
  '',
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      schema: z.string().refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
        error: 'must be a URL such as http://localhost:4318',
      }),
      default: '',
      help: 'URL of an OTLP receiver (HTTP, protobuf) for [traces](monitoring.md#traces), without `/v1/traces`; no tracing if empty',
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      schema: pairs,
      default: '',
      help: 'headers for the receiver, such as `authorization=Bearer%20…`: `name=value` pairs separated by commas, with percent-encoded values',
      isSecret: true,
    },
    OTEL_SERVICE_NAME: { schema: z.string().min(1), default: 'paylatch', help: 'name of the service in traces' },
    OTEL_RESOURCE_ATTRIBUTES: {
      schema: pairs,
      default: '',
      help: 'attributes of the process in traces, such as `deployment.environment.name=production,service.instance.id=a`',
    },
    OTEL_TRACES_SAMPLER_ARG: {
      schema: z
        .string()
        .regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, { error: 'must be a number from 0 to 1' })
        .transform(Number),
      default: '1',
      help: 'share of traces that are recorded, from 0 to 1. The parts of one trace are recorded together',
    },
    INCOMING_TRACES: {
      schema: z.enum(['link', 'parent', 'ignore']),
      default: 'link',
      help: "use of a client's `traceparent` header: `link` the request's own trace to it, continue it as the `parent` (only if all clients are trusted), or `ignore` it",
    },
  },
  (values): TracingOptions | null =>
    values.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: values.OTEL_EXPORTER_OTLP_HEADERS || {},
          serviceName: values.OTEL_SERVICE_NAME,
          resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES || {},
          sampledShare: values.OTEL_TRACES_SAMPLER_ARG,
          incomingTraces: values.INCOMING_TRACES,
        }
      : null,
);
