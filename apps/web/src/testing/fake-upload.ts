import { onTestFinished, vi } from "vitest";

/** One request of `XMLHttpRequest`, which the test answers. */
export class FakeUpload extends EventTarget {
  method = "";
  path = "";
  readonly headers: Record<string, string> = {};
  body: unknown;
  isAborted = false;
  status = 0;
  responseText = "";
  readonly upload = new EventTarget();

  open(method: string, path: string): void {
    [this.method, this.path] = [method, path];
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  send(body: unknown): void {
    this.body = body;
  }

  abort(): void {
    this.isAborted = true;
  }

  progress(loaded: number): void {
    this.upload.dispatchEvent(new ProgressEvent("progress", { loaded }));
  }

  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.dispatchEvent(new Event("load"));
  }

  break(): void {
    this.dispatchEvent(new Event("error"));
  }
}

/** Stands in place of `XMLHttpRequest` for one test. Returns the requests that were sent, in order. */
export function fakeUploads(): FakeUpload[] {
  const sent: FakeUpload[] = [];
  vi.stubGlobal(
    "XMLHttpRequest",
    class extends FakeUpload {
      override send(body: unknown): void {
        super.send(body);
        sent.push(this);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return sent;
}
