import type { Clock } from "@terrarium/clock";
import { context, trace } from "@opentelemetry/api";

/** How long the end waits for a collector that is away. */
const LAST_MS = 1_000;

export interface TracingSettings {
  /** A collector's address; traces go to `/v1/traces` below it. */
  endpoint: string;
  /** The share of requests, jobs and starts that are traced, from 0 to 1. */
  share: number;
}

/**
 * Sends spans to a collector by OTLP over HTTP, in batches every few seconds; those that it does not take are dropped. Its own settings,
 * such as `OTEL_EXPORTER_OTLP_HEADERS`, are read from the environment. Returns what sends the last ones, within a second, and ends it.
 */
export async function startTracing(
  { endpoint, share }: TracingSettings,
  { role, version, clock }: { role: string; version: string; clock: Clock },
): Promise<() => Promise<void>> {
  // Loaded only where it is asked for.
  const { AsyncLocalStorageContextManager } = await import("@opentelemetry/context-async-hooks");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } =
    await import("@opentelemetry/sdk-trace");
  const exporter = new OTLPTraceExporter({ url: new URL("v1/traces", endpoint.replace(/\/*$/, "/")).href });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "terrarium",
      "service.version": version,
      "terrarium.role": role,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const contexts = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(contexts);
  trace.setGlobalTracerProvider(provider);
  return async () => {
    const end = new AbortController();
    const late = clock.sleep(LAST_MS, end.signal);
    await Promise.race([provider.shutdown(), late]).catch(() => undefined);
    end.abort();
    late.catch(() => undefined);
    trace.disable();
    context.disable();
  };
}
