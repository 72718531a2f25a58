import { describe, expect, it } from "vitest";
import { Writable } from "node:stream";
import { createLog } from "./log.ts";

function written() {
  let text = "";
  const log = createLog(
    "info",
    "test",
    new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) }),
  );
  return { log, text: () => text };
}

describe("the log", () => {
  it("redacts tokens and passwords", () => {
    const { log, text } = written();
    log.info(
      {
        token: "t0ps3cret",
        headers: { authorization: "Bearer t0ps3cret", "x-api-token": "t0ps3cret" },
        body: { password: "t0ps3cret" },
      },
      "a call",
    );
    log.error(
      { err: new Error("GET /cloud/socket.io?token=t0ps3cret&x=1 from postgres://terrarium:t0ps3cret@localhost/x") },
      "failed",
    );
    expect(text()).not.toContain("t0ps3cret");
    expect(text()).toContain("[hidden]");
  });
});
