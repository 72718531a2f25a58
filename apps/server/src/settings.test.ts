import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gatewayEnvironment, helpWith, readSettings, scrcpyServerFile } from "./settings.ts";

describe("readSettings", () => {
  it("has defaults for everything: an embedded database, demo accounts, all roles", () => {
    expect(readSettings({})).toMatchObject({
      port: 8080,
      embedded: true,
      demo: true,
      roles: ["api", "realtime", "jobs", "gateway"],
      runtimes: ["simulator"],
    });
  });

  it.each([
    { TERRARIUM_DEMO: "off" },
    { DATABASE_URL: "postgres://db/x" },
    { NODE_ENV: "production" },
    { DATABASE_URL: "postgres://db/x", TERRARIUM_DEMO: "on" },
  ])("has no demo accounts with %j", (environment) => {
    expect(readSettings(environment).demo).toBe(false);
  });

  it("listens on loopback only while there are demo accounts, unless told otherwise", () => {
    const reach = (environment: Record<string, string>) => {
      const { host, isLocal } = readSettings(environment);
      return [host, isLocal];
    };
    expect(reach({})).toEqual(["127.0.0.1", true]);
    expect(reach({ HOST: "localhost", TERRARIUM_PUBLIC_URL: "http://localhost:8080" })).toEqual(["localhost", true]);
    expect(reach({ TERRARIUM_DEMO: "off" })).toEqual(["0.0.0.0", false]);
    expect(reach({ DATABASE_URL: "postgres://db/x" })).toEqual(["0.0.0.0", false]);
    expect(reach({ HOST: "0.0.0.0" })).toEqual(["0.0.0.0", false]);
    // Others come by a proxy on this machine.
    expect(reach({ TERRARIUM_PUBLIC_URL: "https://devices.example" })).toEqual(["127.0.0.1", false]);
    expect(reach({ TERRARIUM_TRUSTED_PROXIES: "127.0.0.1" })).toEqual(["127.0.0.1", false]);
  });

  it("has Stripe hold what it can hold, or nothing", () => {
    const keys = { STRIPE_SECRET_KEY: "sk_1", STRIPE_PUBLISHABLE_KEY: "pk_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
    const held = (cents: string, more = {}) => {
      try {
        return readSettings({ ...more, TERRARIUM_CARD_HOLD_CENTS: cents }).offer.card_hold_cents;
      } catch (error) {
        return String(error).includes("TERRARIUM_CARD_HOLD_CENTS");
      }
    };
    expect([held("0", keys), held("1", keys), held("49", keys), held("50", keys)]).toEqual([0, true, true, 50]);
    expect(held("1")).toBe(1);
  });

  it("asks for people's pictures unless it is switched off", () => {
    const avatars = (TERRARIUM_AVATARS?: string) => readSettings({ TERRARIUM_AVATARS }).avatarUrl;
    expect(avatars()).toBe("https://gravatar.com/avatar/");
    expect(avatars("off")).toBeUndefined();
    expect(avatars("https://avatars.example/a/")).toBe("https://avatars.example/a/");
    expect(() => avatars("https://avatars.example/a")).toThrow("Must end in a slash");
    expect(() => avatars("javascript:alert(1)/")).toThrow("TERRARIUM_AVATARS");
  });

  it("keeps devices for five minutes, for none if told so, and always for a gateway that was killed", () => {
    const kept = (seconds?: string) => {
      const { leavesDevices, keepDevicesMs } = readSettings({ TERRARIUM_KEEP_DEVICES_SECONDS: seconds });
      return [leavesDevices, keepDevicesMs];
    };
    expect([kept(), kept("0"), kept("90")]).toEqual([
      [true, 300_000],
      [false, 60_000],
      [true, 90_000],
    ]);
  });

  it("needs neither a sender nor a public address for the mails of a demonstration on this machine", () => {
    const SMTP_URL = "smtp://localhost:2525";
    const from = { name: "Terrarium", address: "terrarium@localhost" };
    expect(readSettings({ SMTP_URL }).mail).toEqual({ url: SMTP_URL, from });
    expect(() => readSettings({ SMTP_URL, HOST: "0.0.0.0" })).toThrow("MAIL_FROM");
    expect(() => readSettings({ SMTP_URL, TERRARIUM_DEMO: "off", HOST: "127.0.0.1" })).toThrow("TERRARIUM_PUBLIC_URL");
  });

  it("needs a mail server, a sender, and where links in mails lead, together", () => {
    const TERRARIUM_PUBLIC_URL = "https://devices.example.com";
    const server = { SMTP_URL: "smtps://terrarium:secret@mail.example.com:465", TERRARIUM_PUBLIC_URL };
    expect(readSettings({}).mail).toBeUndefined();
    expect(readSettings({ ...server, MAIL_FROM: "Terrarium <devices@example.com>" }).mail).toEqual({
      url: server.SMTP_URL,
      from: { name: "Terrarium", address: "devices@example.com" },
    });
    expect(readSettings({ ...server, MAIL_FROM: "devices@example.com" }).mail?.from.name).toBe("");
    expect(() => readSettings(server)).toThrow("MAIL_FROM");
    const nowhere = { ...server, HOST: "0.0.0.0", MAIL_FROM: "devices@example.com", TERRARIUM_PUBLIC_URL: "" };
    expect(() => readSettings(nowhere)).toThrow("TERRARIUM_PUBLIC_URL");
  });

  it.each([
    [{}, true],
    [{ TERRARIUM_PUBLIC_URL: "http://localhost:8080" }, true],
    [{ HOST: "0.0.0.0" }, false],
    [{ TERRARIUM_PUBLIC_URL: "https://devices.example" }, false],
    [{ TERRARIUM_TRUSTED_PROXIES: "127.0.0.1" }, false],
    [{ TERRARIUM_DEMO: "off", HOST: "127.0.0.1" }, false],
    [{ NODE_ENV: "production", HOST: "127.0.0.1" }, false],
    [{ DATABASE_URL: "postgres://db/terrarium", HOST: "127.0.0.1" }, false],
    [{ SMTP_URL: "smtp://localhost", MAIL_FROM: "a@b.example", TERRARIUM_PUBLIC_URL: "http://localhost:8080" }, false],
  ])("shows mails on a page, where only their readers can be: %j", (environment, hasMailbox) => {
    expect(readSettings(environment).hasMailbox).toBe(hasMailbox);
  });

  it("needs the address, the bucket and the keys of S3 together", () => {
    const keys = { S3_BUCKET: "terrarium", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
    const given = { S3_URL: "http://minio:9000", ...keys };
    expect(readSettings({}).s3).toBeUndefined();
    expect(readSettings(given).s3).toEqual({
      url: "http://minio:9000",
      bucket: "terrarium",
      region: "us-east-1",
      accessKeyId: "key",
      secretAccessKey: "secret",
    });
    for (const name of Object.keys(keys)) expect(() => readSettings({ ...given, [name]: "" })).toThrow(name);
  });

  it("ignores empty variables", () => {
    expect(readSettings({ DATABASE_URL: "", PORT: "" })).toMatchObject({ embedded: true, port: 8080 });
  });

  it.each([
    { PORT: "70000" },
    { PORT: "http" },
    { DATABASE_URL: "mysql://x" },
    { TERRARIUM_ROLES: "api,chef" },
    { TERRARIUM_DEMO: "maybe" },
    { TERRARIUM_PUBLIC_URL: "devices.example" },
    { TERRARIUM_ALLOWED_ORIGINS: "https://portal.example/" },
    { TERRARIUM_ALLOWED_ORIGINS: "https://portal.example,*" },
    { SMTP_URL: "http://mail.example.com" },
    { MAIL_FROM: "Terrarium devices@example.com" },
    { MAIL_FROM: "Terrarium\nBcc: all@example.com <devices@example.com>" },
  ])("refuses %j", (environment) => {
    expect(() => readSettings(environment)).toThrow(Object.keys(environment)[0]);
  });
});

describe("video", () => {
  const media = (environment: Record<string, string | undefined>) => {
    const { bindAddress, reach } = readSettings(environment).media;
    return [bindAddress, reach];
  };
  const server = { NODE_ENV: "production" };

  it.each([
    // The demo, for this machine only.
    [{}, "127.0.0.1", "loopback"],
    [{ HOST: "localhost" }, "127.0.0.1", "loopback"],
    [{ HOST: "::1" }, "::1", "loopback"],
    [{ TERRARIUM_PUBLIC_URL: "http://localhost:8080" }, "127.0.0.1", "loopback"],
    // A private network.
    [{ HOST: "192.168.1.9" }, "192.168.1.9", "private"],
    [{ HOST: "0.0.0.0", TERRARIUM_PUBLIC_URL: "http://10.0.0.7:8080" }, undefined, "private"],
    [{ HOST: "::", TERRARIUM_PUBLIC_URL: "http://[fd12::7]" }, undefined, "private"],
    // Anybody.
    [server, undefined, "public"],
    [{ HOST: "203.0.113.9" }, "203.0.113.9", "public"],
    [{ HOST: "192.168.1.9", TERRARIUM_PUBLIC_URL: "https://devices.example.com" }, "192.168.1.9", "public"],
    [{ HOST: "0.0.0.0", TERRARIUM_PUBLIC_URL: "http://169.254.1.1" }, undefined, "public"],
    // Anybody, through a proxy on this machine.
    [{ HOST: "127.0.0.1", TERRARIUM_PUBLIC_URL: "https://devices.example.com" }, undefined, "public"],
    [{ HOST: "127.0.0.1", TERRARIUM_TRUSTED_PROXIES: "127.0.0.1" }, undefined, "public"],
    // As told.
    [{ ...server, TERRARIUM_MEDIA_HOST: "10.0.0.7", TERRARIUM_MEDIA_REACH: "private" }, "10.0.0.7", "private"],
    [{ HOST: "127.0.0.1", TERRARIUM_MEDIA_HOST: "0.0.0.0", TERRARIUM_MEDIA_REACH: "public" }, undefined, "public"],
  ])("with %j is sent from %s to %s addresses, also by a gateway process", (environment, bindAddress, reach) => {
    expect(media(environment)).toEqual([bindAddress, reach]);
    const { host } = readSettings(environment);
    const ofGateway = gatewayEnvironment(environment, { host, databaseUrl: "postgres://localhost/x" });
    expect(media(ofGateway)).toEqual([bindAddress, reach]);
  });

  it("is relayed by servers with their secret, both or neither", () => {
    const urls = "turn:turn.example.com:3478, turns:turn.example.com";
    expect(readSettings({}).media.turn).toBeUndefined();
    expect(readSettings({ TERRARIUM_TURN_URLS: urls, TERRARIUM_TURN_SECRET: "north" }).media.turn).toEqual({
      urls: ["turn:turn.example.com:3478", "turns:turn.example.com"],
      secret: "north",
    });
    expect(() => readSettings({ TERRARIUM_TURN_URLS: urls })).toThrow(/TERRARIUM_TURN_SECRET/);
    expect(() => readSettings({ TERRARIUM_TURN_SECRET: "north" })).toThrow(/TERRARIUM_TURN_URLS/);
    expect(() => readSettings({ TERRARIUM_TURN_URLS: "stun:x", TERRARIUM_TURN_SECRET: "n" })).toThrow(/turn:turn/);
  });

  it("leaves the gateway of a demonstration that sends mails without what only the server needs", () => {
    const ofGateway = gatewayEnvironment(
      { SMTP_URL: "smtp://localhost" },
      { host: "127.0.0.1", databaseUrl: "postgres://x/y" },
    );
    expect(readSettings(ofGateway).mail).toBeUndefined();
  });

  it("tells Prometheus of the server and its gateway at two ports, on loopback, and only if it is asked to", () => {
    const gateway = { host: "127.0.0.1", databaseUrl: "postgres://x/y" };
    expect([readSettings({}).metrics, readSettings(gatewayEnvironment({}, gateway)).metrics]).toEqual([
      undefined,
      undefined,
    ]);
    const environment = { METRICS_PORT: "9464" };
    expect(readSettings(environment).metrics).toEqual({ port: 9464, host: "127.0.0.1" });
    expect(readSettings(gatewayEnvironment(environment, gateway)).metrics).toEqual({ port: 9465, host: "127.0.0.1" });
    expect(readSettings({ METRICS_PORT: "0", METRICS_HOST: "10.0.0.7" }).metrics).toEqual({
      port: 0,
      host: "10.0.0.7",
    });
  });

  it("traces what a server and its gateway do, only if it is told where to", () => {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318", OTEL_TRACES_SAMPLER_ARG: "0.1" };
    const ofGateway = gatewayEnvironment(environment, { host: "127.0.0.1", databaseUrl: "postgres://x/y" });
    for (const each of [environment, ofGateway])
      expect(readSettings(each).tracing).toEqual({ endpoint: "http://127.0.0.1:4318", share: 0.1 });
    expect(readSettings({}).tracing).toBeUndefined();
    expect(() => readSettings({ ...environment, OTEL_TRACES_SAMPLER_ARG: "1.1" })).toThrow("OTEL_TRACES_SAMPLER_ARG");
  });

  it.each(["eth0", "localhost", "10.0.0.7:9000"])("cannot be sent from %s", (host) =>
    expect(() => readSettings({ TERRARIUM_MEDIA_HOST: host })).toThrow("TERRARIUM_MEDIA_HOST"),
  );

  it("tells browsers of the operator where to connect, and keeps where support goes to itself", () => {
    const { shown, connectsTo, support } = readSettings({
      OPERATOR_CONTACT: "help@fern.test",
      STATUS_PAGE_URL: "https://status.fern.test/",
      ANALYTICS_URL: "https://count.fern.test/in",
      SUPPORT_WEBHOOK_URL: "https://desk.fern.test/in?key=secret",
    }).operator;
    expect(shown).toMatchObject({
      links: { feedback: null, support: "mailto:help@fern.test" },
      has_support: true,
      status: { page: "https://status.fern.test/", summary: "https://status.fern.test/api/v2/status.json" },
    });
    expect(connectsTo).toEqual(["https://status.fern.test", "https://count.fern.test"]);
    expect(support.webhook).toBe("https://desk.fern.test/in?key=secret");
    expect(JSON.stringify(shown)).not.toContain("desk.fern.test");
  });

  const own = { TERRARIUM_DEMO: "off" };
  const contact = { OPERATOR_CONTACT: "help@fern.test" };
  const docs = "https://docs.fern.test/";
  it.each([
    [{}, { documentation: "/docs", feedback: null, support: "/docs#help" }],
    [own, { documentation: "/docs", feedback: "/docs#help", support: "/docs#help" }],
    [
      { ...own, DOCUMENTATION_URL: docs },
      { documentation: docs, feedback: docs, support: docs },
    ],
    [
      { ...own, ...contact },
      { documentation: "/docs", feedback: "mailto:help@fern.test", support: "mailto:help@fern.test" },
    ],
    [
      { SUPPORT_EMAIL: "help@fern.test", FEEDBACK_URL: "https://fern.test/ideas" },
      { documentation: "/docs", feedback: "https://fern.test/ideas", support: "/docs#help" },
    ],
  ])("leads somewhere by default, and to what the operator has: %j", (environment, links) => {
    expect(readSettings(environment).operator.shown.links).toEqual({
      api_reference: "/docs/api",
      repository: null,
      ...links,
    });
  });

  it("reads a status document that is named itself", () => {
    const { shown } = readSettings({ STATUS_PAGE_URL: "https://fern.test/a/status.json" }).operator;
    expect(shown.status).toEqual({ page: "https://fern.test/", summary: "https://fern.test/a/status.json" });
  });

  it("polls nothing and sends nothing elsewhere unless told to", () => {
    const { shown, connectsTo } = readSettings(own).operator;
    expect([shown.analytics, shown.has_support, connectsTo]).toEqual([null, false, []]);
    expect(shown.status).toEqual({ page: "/status", summary: "/cloud/status.json" });
    expect(readSettings({ STATUS_PAGE_URL: "off" }).operator.shown.status).toBeNull();
  });

  it("has messages mailed to its contact where mails are sent, and shows them in a demonstration", () => {
    const smtp = {
      ...own,
      SMTP_URL: "smtp://mail",
      MAIL_FROM: "a@fern.test",
      TERRARIUM_PUBLIC_URL: "https://fern.test",
    };
    const to = (environment: object) => readSettings({ ...environment }).operator.support.email;
    expect([{}, own, smtp, { ...own, ...contact }, { ...smtp, ...contact }].map(to)).toEqual([
      "support@terrarium.invalid",
      undefined,
      undefined,
      undefined,
      "help@fern.test",
    ]);
    expect(to({ ...smtp, ...contact, SUPPORT_EMAIL: "desk@fern.test" })).toBe("desk@fern.test");
    const webhook = { SUPPORT_WEBHOOK_URL: "https://desk.fern.test/in" };
    expect([webhook, { ...smtp, ...contact, ...webhook }].map(to)).toEqual([undefined, undefined]);
    expect(to({ ...smtp, ...webhook, SUPPORT_EMAIL: "desk@fern.test" })).toBe("desk@fern.test");
  });

  it.each(["STATUS_PAGE_URL", "FEEDBACK_URL", "SUPPORT_WEBHOOK_URL"])("refuses a script in place of %s", (name) => {
    expect(() => readSettings({ [name]: "javascript:alert(1)" })).toThrow(name);
  });
});

describe("signing in with others", () => {
  const GOOGLE = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" };
  const OIDC = { OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "secret" };

  it.each([
    [{}, true],
    [{ SMTP_URL: "smtp://localhost:2525" }, true],
    [GOOGLE, false],
    [OIDC, false],
    [{ TERRARIUM_DEMO: "off" }, false],
    [{ NODE_ENV: "production" }, false],
    [{ HOST: "0.0.0.0" }, false],
    [{ TERRARIUM_TRUSTED_PROXIES: "127.0.0.1" }, false],
  ])("is played by a demonstration itself with %j: %s", (environment, expected) => {
    expect(readSettings(environment).hasStandIn).toBe(expected);
  });

  it("takes a provider with all of its settings", () => {
    const client = { id: "id", secret: "secret" };
    expect(readSettings({ ...GOOGLE, ...OIDC, OIDC_EMAIL_DOMAINS: "a.example, b.example" }).sso).toEqual({
      google: client,
      github: undefined,
      company: {
        issuer: "https://login.example.com",
        client,
        label: "company account",
        domains: ["a.example", "b.example"],
      },
    });
    expect(() => readSettings({ GITHUB_CLIENT_ID: "id" })).toThrow("GITHUB_CLIENT_SECRET");
    expect(() => readSettings({ ...OIDC, OIDC_CLIENT_SECRET: "" })).toThrow("OIDC_CLIENT_SECRET");
    const shared = { ...OIDC, OIDC_ISSUER: "https://login.microsoftonline.com/common/v2.0" };
    expect(() => readSettings(shared)).toThrow("every tenant");
  });
});

it("the gateway of a demonstration that sends mails needs no settings for them", () => {
  const environment = { SMTP_URL: "smtp://127.0.0.1:2525" };
  const { host, mail } = readSettings(environment);
  expect(mail?.url).toBe(environment.SMTP_URL);
  const databaseUrl = "postgres://localhost/x";
  expect(readSettings(gatewayEnvironment(environment, { host, databaseUrl })).mail).toBeUndefined();
});

it("helpWith says what is missing for devices to be offered and shown", () => {
  const TERRARIUM_DATA_DIR = mkdtempSync(join(tmpdir(), "settings-"));
  onTestFinished(() => rmSync(TERRARIUM_DATA_DIR, { recursive: true }));
  const help = (TERRARIUM_RUNTIMES: string, TERRARIUM_SCRCPY_SERVER = "") =>
    helpWith("adb-pool", readSettings({ TERRARIUM_DATA_DIR, TERRARIUM_RUNTIMES, TERRARIUM_SCRCPY_SERVER }));
  const fetch = "npm run operator -- scrcpy fetch && ";
  expect(help("")).toBe(`${fetch}TERRARIUM_RUNTIMES=simulator,adb-pool npm start`);
  expect(help("adb-pool")).toBe(`${fetch}TERRARIUM_RUNTIMES=adb-pool npm start`);
  expect(help("adb-pool", "/a/jar")).toBeNull();
  writeFileSync(scrcpyServerFile(TERRARIUM_DATA_DIR), "");
  expect(help("adb-pool")).toBeNull();
  const settings = readSettings({ TERRARIUM_DATA_DIR, TERRARIUM_RUNTIMES: "qemu" });
  expect(helpWith("qemu", settings, "A=1 ")).toBe("TERRARIUM_RUNTIMES=qemu A=1 npm start");
});
