import { type Attributes, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { QueryDone } from "../db/database.ts";

/** Its spans cost next to nothing, and lead nowhere, until `startTracing`. */
export const tracer = () => trace.getTracer("terrarium");

/** Does some work in a span of its own, below the one it is called in. No attribute may reveal a secret, or what customers wrote. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  kind: SpanKind = SpanKind.INTERNAL,
): Promise<Result> {
  return tracer().startActiveSpan(name, { kind, attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // What an error says may name customers' things.
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : undefined });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Adds a query to the span that made it. Its text has no values: they are parameters. */
export function traceQuery({ text, tookMs, hasFailed }: QueryDone): void {
  if (!trace.getActiveSpan()?.isRecording()) return;
  const now = Date.now();
  const span = tracer().startSpan(text.trimStart().split(/\s/, 1)[0]?.toUpperCase() || "query", {
    kind: SpanKind.CLIENT,
    startTime: now - tookMs,
    attributes: { "db.system.name": "postgresql", "db.query.text": text },
  });
  if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(now);
}
