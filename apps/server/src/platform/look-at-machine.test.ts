import type { Possibility } from "@terrarium/contract";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { lookAtMachine } from "./look-at-machine.ts";

async function machine(files: Record<string, string>, env: Record<string, string> = {}) {
  const root = await mkdtemp(join(tmpdir(), "machine-"));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    await chmod(join(root, path), 0o700);
  }
  const all = { HOME: join(root, "home"), PATH: join(root, "bin"), ANDROID_ADB_SERVER_PORT: "1", ...env };
  const found = await lookAtMachine({ env: all, helpWith: (_, more = "") => `${more}set it`, root });
  return { all: found, ...Object.fromEntries(found.map((one) => [one.what, one])) } as { all: Possibility[] } & Record<
    Possibility["what"],
    Possibility
  >;
}

/** What answers on a socket, and hangs up. */
async function answering(answer: string, at?: string): Promise<string> {
  const server = createServer((socket) => socket.once("data", () => socket.end(answer)));
  await new Promise<void>((resolve) =>
    at === undefined ? server.listen(0, "127.0.0.1", resolve) : server.listen(at, resolve),
  );
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address ? String(address.port) : "";
}

it("says what is missing, and the command that adds it", async () => {
  const found = await machine({});
  expect(found.all.map(({ is_possible, help }) => [is_possible, typeof help])).toEqual(
    Array.from({ length: 7 }, () => [false, "string"]),
  );
  expect(found.adb.help).toBe("sudo apt-get install adb && adb start-server");
  expect((await machine({ "bin/adb": "" })).adb.help).toBe("adb start-server");
  expect(found.docker.help).toBe("sudo apt-get install docker.io");
  expect((await machine({ "bin/docker": "" })).docker.help).toBe("sudo systemctl start docker");
});

it("lists the devices of an adb server, and how they are offered", async () => {
  const port = await answering("OKAY0032emulator-5554\tdevice\nR5CT10XYZAB\tunauthorized\n");
  expect((await machine({}, { ANDROID_ADB_SERVER_PORT: port })).adb).toEqual({
    what: "adb",
    is_possible: true,
    says: "the adb server has emulator-5554 (device), R5CT10XYZAB (unauthorized)",
    help: "set it",
  });
});

it("looks where the pool does, and takes no port that is none", async () => {
  const port = await answering("OKAY0000");
  const at = async (TERRARIUM_ADB_POOL_SERVER: string) => (await machine({}, { TERRARIUM_ADB_POOL_SERVER })).adb.says;
  expect(await at(`127.0.0.1:${port}`)).toBe("the adb server has no devices");
  expect(await at("off")).toBe("TERRARIUM_ADB_POOL_SERVER is off");
  expect(await at("[::1]:1")).toBe("no adb server answers at [::1]:1");
  for (const ANDROID_ADB_SERVER_PORT of ["abc", "70000"])
    expect((await machine({}, { ANDROID_ADB_SERVER_PORT })).adb.says).toBe(
      `no adb server answers on port ${ANDROID_ADB_SERVER_PORT}`,
    );
});

it("does not wait for one that never ends its answer", async () => {
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write("x"), 50);
    socket.once("data", () => vi.advanceTimersByTime(1000));
    socket.on("error", () => undefined).on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const address = server.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  expect((await machine({}, { ANDROID_ADB_SERVER_PORT: port })).adb.is_possible).toBe(false);
});

it("does not take /dev/kvm for virtualization", async () => {
  const flags = (more: string) => ({ "dev/kvm": "", "proc/cpuinfo": `processor : 0\nflags\t\t: fpu ${more} sse\n` });
  expect((await machine(flags("hypervisor"))).kvm).toMatchObject({
    is_possible: false,
    says: expect.stringContaining("neither vmx nor svm"),
  });
  for (const flag of ["vmx", "svm"]) expect((await machine(flags(flag))).kvm.is_possible).toBe(true);
  expect((await machine({ "proc/cpuinfo": "flags : vmx\n" })).kvm.help).toContain("modprobe kvm_intel");
});

it("finds the emulator of an Android SDK, and what it could run", async () => {
  const emulator = { "home/Android/Sdk/emulator/emulator": "" };
  expect((await machine(emulator))["android-sdk"]).toMatchObject({
    is_possible: false,
    says: expect.stringContaining("has no system image"),
    help: expect.stringMatching(/^sdkmanager "system-images;android-34;google_apis;\w+/),
  });
  const image = "home/Android/Sdk/system-images/android-33/default/x86_64";
  const files = {
    ...emulator,
    [`${image}/source.properties`]: "AndroidVersion.ApiLevel=33\nSystemImage.Abi=x86_64\n",
    [`${image}/system.img`]: "",
  };
  expect((await machine(files))["android-sdk"]).toMatchObject({
    is_possible: true,
    says: expect.stringContaining("with android-33;default;x86_64"),
    help: "set it",
  });
});

it("finds QEMU, and its tool for disks", async () => {
  expect((await machine({ "bin/qemu-system-x86_64": "" })).qemu).toMatchObject({
    is_possible: false,
    says: "there is no qemu-img",
  });
  const files = { "bin/qemu-system-x86_64": "", "bin/qemu-img": "" };
  expect((await machine(files)).qemu).toMatchObject({
    is_possible: true,
    help: "TERRARIUM_QEMU_IMAGES=/path/of/android-14.0 set it",
  });
  expect((await machine(files, { TERRARIUM_QEMU_IMAGES: "/images/android-14.0" })).qemu.help).toBe("set it");
});

it("finds a kubeconfig, and that it is in a cluster", async () => {
  const found = await machine({ "home/.kube/config": "" });
  expect(found.kubernetes.help).toMatch(/^TERRARIUM_KUBERNETES_CONFIG=\S+home\/\.kube\/config set it$/);
  expect((await machine({}, { KUBECONFIG: "/missing" })).kubernetes.says).toContain("no kubeconfig /missing");
  const files = { "var/run/secrets/kubernetes.io/serviceaccount/token": "" };
  const inside = (await machine(files, { KUBERNETES_SERVICE_HOST: "10.0.0.1" })).kubernetes;
  expect(inside).toMatchObject({ is_possible: true, help: "set it" });
});

it("finds binder in the kernel", async () => {
  expect((await machine({ "proc/filesystems": "nodev\tproc\nnodev\tbinder\n" })).binder.is_possible).toBe(true);
});

it("takes no binder for enough that all containers would share", async () => {
  const { binder } = await machine({ "proc/filesystems": "nodev\tproc\n", "dev/binder": "" });
  expect(binder).toMatchObject({ is_possible: false, help: expect.stringContaining("CONFIG_ANDROID_BINDERFS") });
});

it("finds a Docker that answers", async () => {
  const root = await mkdtemp(join(tmpdir(), "machine-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, "var/run"), { recursive: true });
  await answering("HTTP/1.0 200 OK\r\n\r\n{}", join(root, "var/run/docker.sock"));
  const found = await lookAtMachine({
    env: { ANDROID_ADB_SERVER_PORT: "1" },
    helpWith: (runtime) => `with ${runtime}`,
    root,
  });
  expect(found.find(({ what }) => what === "docker")).toMatchObject({ is_possible: true, help: "with docker" });
});
