import { AppError } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "../../session/client.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeUploads } from "../../testing/fake-upload.ts";
import { uploadApp } from "./upload-app.ts";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
beforeEach(() => session.open({ token, user: aUser() }));

function upload() {
  const sent = fakeUploads();
  const abort = new AbortController();
  const onProgress = vi.fn<(sent: number) => void>();
  const file = new File(["PK"], "a.apk");
  const done = uploadApp({ uuid: "u", file, signal: abort.signal, onProgress });
  const failed = done.catch((error: AppError) => error) as Promise<AppError>;
  return { call: sent[0]!, abort, onProgress, file, done, failed };
}

describe("uploadApp", () => {
  it("sends the file as it is, says how far that is, and returns what was installed", async () => {
    const { call, done, file, onProgress } = upload();
    expect([call.method, call.path, call.body]).toEqual(["POST", "/cloud/v1/instances/u/apps", file]);
    expect(call.headers).toEqual({
      authorization: `Bearer ${token}`,
      "content-type": "application/vnd.android.package-archive",
    });
    call.progress(1);
    expect(onProgress.mock.calls).toEqual([[1]]);
    call.answer(200, { package_name: "a", is_open: true });
    expect(await done).toEqual({ package_name: "a", is_open: true });
  });

  it.each([
    [422, { code: "APP_REFUSED", message: "m", details: { reason: "r" } }, "APP_REFUSED", { reason: "r" }],
    [502, "<h1>Bad gateway</h1>", "SERVICE_UNAVAILABLE"],
    [502, "null", "SERVICE_UNAVAILABLE"],
    [500, { code: "toString" }, "SERVICE_UNAVAILABLE"],
  ])("rejects after %i with %j", async (status, body, code, details?: object) => {
    const { call, failed } = upload();
    call.answer(status, body);
    const error = await failed;
    expect(error).toBeInstanceOf(AppError);
    expect(error.code).toBe(code);
    expect(error.details).toEqual(details);
  });

  it("rejects when the connection breaks", async () => {
    const { call, failed } = upload();
    call.break();
    expect((await failed).code).toBe("SERVICE_UNAVAILABLE");
  });

  it("can be called off, also before it has begun", async () => {
    const { call, abort, done } = upload();
    abort.abort(new Error("enough"));
    await expect(done).rejects.toThrow("enough");
    expect(call.isAborted).toBe(true);
    const sent = fakeUploads();
    const late = { uuid: "u", file: new File([], "a"), signal: abort.signal, onProgress: () => undefined };
    await expect(uploadApp(late)).rejects.toThrow("enough");
    expect(sent).toEqual([]);
  });
});
