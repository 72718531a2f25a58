import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("..", import.meta.url));
const chart = join(root, "deploy/helm/terrarium");
const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
const templates = readdirSync(join(chart, "templates")).map((file) => ({
  file,
  text: read("deploy/helm/terrarium/templates", file),
}));
/** The table that is printed from the settings themselves. */
const settings = new Set([...read("README.md").matchAll(/^\| `([A-Z][A-Z\d_]+)` /gm)].map(([, name]) => name));
const NOT_OURS = new Set(["POD_IP", "POD_NAME", "NODE_ENV"]);

interface Resource {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  spec: {
    selector: Record<string, string> & { matchLabels?: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: { containers: Container[] } };
    ports: { targetPort?: string; protocol?: string }[];
    rules: { http: { paths: { path: string; backend: { service: { name: string } } }[] } }[];
    type?: string;
  };
  rules: { resources: string[]; verbs: string[]; resourceNames?: string[] }[];
}
interface Container {
  env: { name: string; value?: string }[];
  command?: string[];
  ports: { name: string }[];
}

describe("deploy/helm/terrarium", () => {
  const values = parse(read("deploy/helm/terrarium/values.yaml")) as object;
  const has = (path: string[]) =>
    path.reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      values,
    ) !== undefined;

  it("reads no value that is not described", () => {
    // What is below these is the operator's own.
    const open = new Set(["secrets", "settings"]);
    for (const { file, text } of templates)
      for (const [, path = ""] of text.matchAll(/\.Values((?:\.\w+)+)/g)) {
        const keys = path.split(".").slice(1);
        expect([file, path, has(open.has(keys[0]!) ? keys.slice(0, 1) : keys)]).toEqual([file, path, true]);
      }
  });

  it("sets only what the service reads", () => {
    const named = templates.flatMap(({ text }) => [
      ...[...text.matchAll(/^ {2}([A-Z][A-Z\d_]+):/gm)].map(([, name]) => name!),
      ...[...text.matchAll(/\{ name: ([A-Z][A-Z\d_]+), value/g)].map(([, name]) => name!),
    ]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !settings.has(name) && !NOT_OURS.has(name))).toEqual([]);
  });

  const helm = (...words: string[]) => spawnSync("helm", words, { encoding: "utf8", cwd: chart });
  const hasHelm = helm("version").status === 0;
  if (!hasHelm) console.warn("skipped: what helm makes of the chart, as there is no helm");

  describe.skipIf(!hasHelm)("as helm makes it", () => {
    const needed = {
      publicUrl: "https://devices.example.com",
      "secrets.DATABASE_URL": "postgres://db/terrarium",
      "files.claim": "files",
      "devices.namespace": "devices",
    };
    const render = (more: Record<string, string> = {}) => {
      const set = Object.entries({ ...needed, ...more }).map(([name, value]) => `${name}=${value}`);
      const { stdout, stderr } = helm(
        "template",
        "moss",
        ".",
        "--namespace",
        "front",
        ...set.flatMap((one) => ["--set", one]),
      );
      return { stderr, all: parseAllDocuments(stdout).map((document) => document.toJSON() as Resource | null) };
    };
    const made = (more?: Record<string, string>) => render(more).all.filter((one) => one !== null);

    it("is taken by its linter, and says what is missing", () => {
      const set = Object.entries(needed).map(([name, value]) => `--set=${name}=${value}`);
      const { status, stdout } = helm("lint", "--strict", ".", ...set);
      expect([status, status === 0 ? "" : stdout]).toEqual([0, ""]);
      expect(render({ publicUrl: "" }).stderr).toContain("publicUrl must say");
      expect(render({ "secrets.DATABASE_URL": "" }).stderr).toContain("secrets.DATABASE_URL must be");
      expect(render({ "files.claim": "" }).stderr).toContain("files need secrets.S3_URL");
      for (const shared of ["", "front"])
        expect(render({ "devices.namespace": shared }).stderr).toContain("devices.namespace must be one of its own");
      expect(render({ "gateway.media.service": "NodePort" }).stderr).toContain("must be LoadBalancer or empty");
      expect(render({ "gateway.media.addresses": "{203.0.113.7}" }).stderr).toContain(
        "one for each of gateway.replicas",
      );
    });

    it("has a process for each role, which services and disruption budgets find", () => {
      const all = made({
        "turn.enabled": "true",
        "turn.address": "turn.example.com:3478",
        "gateway.media.addresses": "{203.0.113.7,203.0.113.8}",
      });
      const sets = all.filter(({ kind }) => ["Deployment", "StatefulSet"].includes(kind));
      const rolesOf = ({ spec }: Resource) =>
        spec.template.spec.containers[0]!.env.find(({ name }) => name === "TERRARIUM_ROLES")?.value;
      expect(new Set(sets.map(rolesOf))).toEqual(new Set(["api", "gateway", "jobs", "realtime", undefined]));
      const finds = (selector: Record<string, string>) =>
        sets.filter(({ spec: { template } }) =>
          Object.entries(selector).every(([name, value]) => template.metadata.labels[name] === value),
        );
      for (const { metadata, spec } of all.filter(({ kind }) => kind === "PodDisruptionBudget"))
        expect([metadata.name, finds(spec.selector.matchLabels!).length]).toEqual([metadata.name, 1]);
      for (const { metadata, spec } of all.filter(({ kind }) => kind === "Service")) {
        const podName = "statefulset.kubernetes.io/pod-name";
        const [found] =
          podName in spec.selector ? sets.filter(({ kind }) => kind === "StatefulSet") : finds(spec.selector);
        const ports = found!.spec.template.spec.containers[0]!.ports.map(({ name }) => name);
        const wanted = spec.ports.flatMap(({ targetPort }) => targetPort ?? []);
        expect([metadata.name, ports]).toEqual([metadata.name, expect.arrayContaining(wanted)]);
      }
      const media = all.filter(
        ({ kind, spec }) => kind === "Service" && spec.type === "LoadBalancer" && spec.ports[0]!.protocol === "UDP",
      );
      // One for each gateway, and the relay's.
      expect(media).toHaveLength(3);
      const gateway = sets.find(({ kind }) => kind === "StatefulSet")!;
      expect(gateway.spec.template.metadata.labels["terrarium.gateway"]).toBe("moss");
      expect(gateway.spec.template.spec.containers[0]!.command!.at(-1)).toContain("set -- 203.0.113.7 203.0.113.8");
    });

    it("sends live news to where they come from, and all else to the api", () => {
      const ways = made().filter(({ kind }) => kind === "Ingress");
      const paths = ways.flatMap(({ spec }) =>
        spec.rules[0]!.http.paths.map(({ path, backend }) => [path, backend.service.name]),
      );
      expect(paths).toEqual([
        ["/", "moss-api"],
        ["/cloud/socket.io", "moss-realtime"],
      ]);
    });

    it("gives gateways rights in the namespace of devices, and nowhere else but to list nodes", () => {
      const all = made({ "devices.createNamespace": "true" });
      const roles = all.filter(({ kind }) => kind === "Role");
      expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(["devices"]);
      const changing = roles[0]!.rules.filter(
        ({ resources, verbs }) => resources.includes("networkpolicies") && verbs.includes("update"),
      );
      expect(changing.map(({ resourceNames }) => resourceNames)).toEqual([["moss-devices"]]);
      expect(roles[0]!.rules.flatMap(({ resources }) => resources)).not.toContain("secrets");
      const rights = (more: Record<string, string>) =>
        made(more)
          .find(({ kind }) => kind === "Role")!
          .rules.flatMap(({ resources }) => resources);
      const ofSnapshots = ["persistentvolumeclaims", "volumesnapshots"];
      expect(rights({}).filter((right) => ofSnapshots.includes(right))).toEqual([]);
      expect(rights({ "devices.snapshotClass": "copies" })).toEqual(expect.arrayContaining(ofSnapshots));
      expect(all.find(({ kind }) => kind === "ClusterRole")!.rules).toEqual([
        { apiGroups: [""], resources: ["nodes"], verbs: ["list"] },
      ]);
    });
  });
});

describe("deploy/compose", () => {
  const compose = parse(read("deploy/compose/compose.yaml")) as {
    services: Record<string, { environment?: Record<string, string>; image?: string; build?: { dockerfile: string } }>;
  };

  it("keeps its passwords, and backups, out of the image and the repository", () => {
    const ignored = (file: string) => read(file).split("\n");
    expect(ignored(".dockerignore")).toEqual(expect.arrayContaining(["**/.env", "**/*.tar.gz", "**/*.log"]));
    expect(ignored(".gitignore")).toEqual(expect.arrayContaining([".env", "*.tar.gz", "*.log"]));
  });

  it("sets only what the service reads, from what its example names", () => {
    const { environment = {}, build } = compose.services["terrarium"]!;
    expect(Object.keys(environment).filter((name) => !settings.has(name))).toEqual([]);
    expect(read(build!.dockerfile)).toContain("ENTRYPOINT");
    const used = new Set([...read("deploy/compose/compose.yaml").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
    const named = new Set([...read("deploy/compose/example.env").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
    expect(used).toEqual(named);
  });
});
