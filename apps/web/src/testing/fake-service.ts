import { AppError, type ErrorCode } from "@terrarium/contract";
import { onTestFinished, vi } from "vitest";

export interface Call {
  method: string;
  /** Below `/cloud`. */
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

type Answer = (call: Call) => unknown;

/** Answers in place of the service for one test: `{ "GET /v2/instances": () => page }`. An `AppError` is sent as the service would, a `Response` as it is. */
export function fakeService(answers: Record<string, Answer>) {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const { pathname, searchParams: query } = new URL(address, location.href);
    const path = pathname.replace(/^\/cloud/, "");
    const body: unknown =
      typeof init.body === "string" ? JSON.parse(init.body) : init.body instanceof FormData ? init.body : undefined;
    const call = { method: init.method ?? "GET", path, query, body, headers: new Headers(init.headers) };
    calls.push(call);
    const asked = `${call.method} ${path}`;
    const known = Object.keys(answers).find((route) =>
      new RegExp(`^${route.replaceAll(":uuid", "[^/]+")}$`).test(asked),
    );
    try {
      if (!known) throw new AppError("ROUTE_NOT_FOUND", { message: asked });
      const answer = await answers[known]?.(call);
      return answer instanceof Response ? answer : Response.json(answer);
    } catch (error) {
      const { code, status, message, fields, details } = error as AppError;
      return Response.json({ code, message, fields, details }, { status });
    }
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return {
    calls,
    /** The calls to a route, in order. */
    to: (method: string, path: RegExp) => calls.filter((call) => call.method === method && path.test(call.path)),
  };
}

export const refuse = (code: ErrorCode, details?: Record<string, string>) => () => {
  throw new AppError(code, { details });
};

export const aPage = <Row>(results: Row[], count = results.length) => ({ count, next: null, previous: null, results });
