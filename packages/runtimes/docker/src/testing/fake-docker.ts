import type Docker from "dockerode";
import type { ContainerInfo } from "dockerode";

interface FakeContainer extends Pick<ContainerInfo, "Id" | "State" | "Labels"> {
  name: string;
  words: string[];
}

const never = new Promise<never>(() => undefined);

/** A Docker in memory, as far as the runtime asks one. It can hang, and refuse to remove things. */
export class FakeDocker {
  containers: FakeContainer[] = [];
  volumes = new Map<string, Record<string, string>>();
  /** It answers nothing. */
  hangs = false;
  /** Programs in containers do not end. */
  runsOn = false;
  /** What it says instead of removing something, by name. */
  readonly refusals = new Map<string, Error>();
  /** What is in its kernel's files. */
  files: Record<string, string> = { "/proc/filesystems": "nodev\tproc\n" };
  words: string[] = [];

  /** As the library's. */
  get docker(): Docker {
    const answer =
      <T>(give: () => T) =>
      async (): Promise<T> =>
        this.hangs ? never : give();
    const matches = (labels: Record<string, string>, { filters }: { filters?: { label?: string[] } } = {}) =>
      (filters?.label ?? []).every((one) => {
        const [name = "", value] = one.split("=");
        return name in labels && (value === undefined || labels[name] === value);
      });
    const api = {
      info: answer(() => ({
        ID: "fake",
        Name: "fake",
        DockerRootDir: "/",
        ServerVersion: "1",
        Architecture: "x86_64",
        MemTotal: 2 ** 33,
        NCPU: 2,
      })),
      listContainers: (asked: object) => answer(() => this.containers.filter(({ Labels }) => matches(Labels, asked)))(),
      listVolumes: (asked: object) =>
        answer(() => ({
          Volumes: [...this.volumes.values()].filter((one) => matches(one, asked)).map((Labels) => ({ Labels })),
        }))(),
      listNetworks: answer(() => []),
      getEvents: () => never,
      getImage: () => ({
        inspect: answer(() => ({
          Architecture: "amd64",
          Created: "2026-01-01",
          Id: "sha256:1",
          Config: { Entrypoint: this.words, Cmd: [] },
        })),
      }),
      createContainer: ({ name, Labels, Cmd }: { name: string; Labels: Record<string, string>; Cmd: string[] }) =>
        answer(() => {
          this.containers.push({ name, Id: name, State: "created", Labels, words: Cmd });
          return this.#containerOf(name, answer);
        })(),
      getContainer: (name: string) => this.#containerOf(name, answer),
      getNetwork: () => ({ remove: answer(() => undefined) }),
      getVolume: (name: string) => ({
        remove: answer(() => {
          this.#mayRemove(name);
          if (!this.volumes.delete(name)) throw gone;
        }),
      }),
    };
    return api as unknown as Docker;
  }

  #mayRemove(name: string): void {
    const error = this.refusals.get(name);
    if (error) throw error;
  }

  #containerOf(name: string, answer: <T>(give: () => T) => () => Promise<T>) {
    const find = () => {
      const found = this.containers.find((one) => one.name === name || one.Id === name);
      if (!found) throw gone;
      return found;
    };
    return {
      start: answer(() => (find().State = "running")),
      unpause: answer(() => (find().State = "running")),
      wait: async () => (this.runsOn ? never : undefined),
      logs: answer(() => {
        const text = Buffer.from(
          find()
            .words.map((path) => this.files[path] ?? "")
            .join(""),
        );
        const header = Buffer.alloc(8, 0);
        header.writeUInt32BE(text.length, 4);
        return Buffer.concat([header, text]);
      }),
      remove: answer(() => {
        find();
        this.#mayRemove(name);
        this.containers = this.containers.filter((one) => one.name !== name && one.Id !== name);
      }),
    };
  }
}

const gone = Object.assign(new Error("no such thing"), { statusCode: 404 });
