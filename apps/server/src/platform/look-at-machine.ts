import type { Possibility } from "@terrarium/contract";
import { androidSdkPlaces, findAndroidSdk, hasVirtualization, systemImagesOf } from "@terrarium/runtime";
import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, join } from "node:path";

/** An adb server or a Docker socket on this machine answers within milliseconds, or is not there. */
const ANSWER_TIMEOUT_MS = 1_000;
const MAX_ANSWER = 1 << 20;

type HelpWith = (
  runtime: "adb-pool" | "android-emulator" | "docker" | "kubernetes" | "qemu",
  more?: string,
) => string | null;

export interface LookOptions {
  env: Record<string, string | undefined>;
  /** What is to be set for devices of a runtime to be offered and shown, if anything. */
  helpWith: HelpWith;
  /** The root of the file system. */
  root?: string;
}

/** Looks at what this machine could run Android with: what is there, what is missing, and the command that adds it. Never rejects. */
export async function lookAtMachine({ env, helpWith, root = "/" }: LookOptions): Promise<Possibility[]> {
  const read = (path: string) => readFile(join(root, path), "utf8").catch(() => "");
  const isThere = (path: string, mode = constants.F_OK) =>
    access(path, mode).then(
      () => true,
      () => false,
    );
  const [adb, sdk, docker, kubernetes, qemu, kvm, binder] = await Promise.all([
    lookAtAdb(env, helpWith("adb-pool"), isThere),
    lookAtSdk(env, root, helpWith("android-emulator")),
    lookAtDocker(env, join(root, "var/run/docker.sock"), helpWith("docker"), isThere),
    lookAtKubernetes(env, root, helpWith, isThere),
    lookAtQemu(env, helpWith, isThere),
    lookAtKvm(join(root, "dev/kvm"), read, isThere),
    lookAtBinder(join(root, "dev/binder"), read, isThere),
  ]);
  return [adb, sdk, docker, kubernetes, qemu, kvm, binder];
}

type IsThere = (path: string, mode?: number) => Promise<boolean>;

async function isInstalled(env: LookOptions["env"], program: string, isThere: IsThere): Promise<boolean> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return (await Promise.all(folders.map((folder) => isThere(join(folder, program))))).includes(true);
}

async function lookAtAdb(env: LookOptions["env"], poolHelp: string | null, isThere: IsThere): Promise<Possibility> {
  // Where the pool of devices looks for one, if that is set.
  const pool = env["TERRARIUM_ADB_POOL_SERVER"] || undefined;
  if (pool === "off")
    return {
      what: "adb",
      is_possible: false,
      says: "TERRARIUM_ADB_POOL_SERVER is off",
      help: "name devices in TERRARIUM_ADB_POOL_ENDPOINTS, or unset it",
    };
  const [, host = "", port = ""] =
    /^(?:\[(?=.*\]))?(.+?)\]?:(\d+)$/.exec(pool ?? `127.0.0.1:${env["ANDROID_ADB_SERVER_PORT"] || 5037}`) ?? [];
  const answer = await ask({ host, port: Number(port || NaN) }, "000chost:devices");
  if (!answer?.startsWith("OKAY")) {
    const help = (await isInstalled(env, "adb", isThere))
      ? "adb start-server"
      : "sudo apt-get install adb && adb start-server";
    return {
      what: "adb",
      is_possible: false,
      says: `no adb server answers ${pool ? `at ${pool}` : `on port ${env["ANDROID_ADB_SERVER_PORT"] || 5037}`}`,
      help,
    };
  }
  const devices = [...answer.slice(8).matchAll(/^(\S+)\t(.+)$/gm)].map(([, serial, state]) => `${serial} (${state})`);
  if (devices.length === 0)
    return {
      what: "adb",
      is_possible: false,
      says: "the adb server has no devices",
      help: "switch on USB debugging on a phone and plug it in, or: adb connect HOST:PORT",
    };
  return { what: "adb", is_possible: true, says: `the adb server has ${devices.join(", ")}`, help: poolHelp };
}

async function lookAtSdk(env: LookOptions["env"], root: string, emulatorHelp: string | null): Promise<Possibility> {
  const place = await findAndroidSdk(androidSdkPlaces(env, env["HOME"] ?? root));
  if (place === undefined)
    return {
      what: "android-sdk",
      is_possible: false,
      says: "no Android SDK with an emulator was found",
      help: "install Android Studio or its command-line tools, or set ANDROID_HOME",
    };
  const images = (await systemImagesOf(place)).map(({ name }) => name.replace("system-images;", ""));
  const abi = process.arch === "arm64" ? "arm64-v8a" : "x86_64";
  if (images.length === 0)
    return {
      what: "android-sdk",
      is_possible: false,
      says: `its emulator is in ${place}, which has no system image`,
      help: `sdkmanager "system-images;android-34;google_apis;${abi}"`,
    };
  const says = `its emulator is in ${place}, with ${images.join(", ")}; it is slow where kvm is missing`;
  return { what: "android-sdk", is_possible: true, says, help: emulatorHelp };
}

async function lookAtDocker(
  env: LookOptions["env"],
  socket: string,
  dockerHelp: string | null,
  isThere: IsThere,
): Promise<Possibility> {
  const answer = await ask({ path: socket }, "GET /version HTTP/1.0\r\n\r\n");
  if (answer?.includes(" 200 "))
    return { what: "docker", is_possible: true, says: `it answers at ${socket}`, help: dockerHelp };
  const help = (await isThere(socket))
    ? "sudo usermod -aG docker $USER, then sign in again"
    : (await isInstalled(env, "docker", isThere))
      ? "sudo systemctl start docker"
      : "sudo apt-get install docker.io";
  return { what: "docker", is_possible: false, says: `nothing answers at ${socket}`, help };
}

/** Whether it answers is asked by the runtime itself, which knows how to sign in. */
async function lookAtKubernetes(
  env: LookOptions["env"],
  root: string,
  helpWith: HelpWith,
  isThere: IsThere,
): Promise<Possibility> {
  const what = "kubernetes";
  if (
    env["KUBERNETES_SERVICE_HOST"] &&
    (await isThere(join(root, "var/run/secrets/kubernetes.io/serviceaccount/token")))
  )
    return { what, is_possible: true, says: "this is a Pod with an account of its cluster", help: helpWith(what) };
  const file =
    env["TERRARIUM_KUBERNETES_CONFIG"] ||
    env["KUBECONFIG"]?.split(delimiter)[0] ||
    join(env["HOME"] ?? root, ".kube/config");
  if (!(await isThere(file)))
    return {
      what,
      is_possible: false,
      says: `there is no kubeconfig ${file}, and this is no Pod with an account`,
      help: "name a kubeconfig in TERRARIUM_KUBERNETES_CONFIG, or install deploy/helm/terrarium in the cluster",
    };
  const setting = env["TERRARIUM_KUBERNETES_CONFIG"] ? "" : `TERRARIUM_KUBERNETES_CONFIG=${file} `;
  return { what, is_possible: true, says: `there is a kubeconfig, ${file}`, help: helpWith(what, setting) };
}

async function lookAtQemu(env: LookOptions["env"], helpWith: HelpWith, isThere: IsThere): Promise<Possibility> {
  const missing: string[] = [];
  for (const program of ["qemu-system-x86_64", "qemu-img"])
    if (!(await isInstalled(env, program, isThere))) missing.push(program);
  if (missing.length === 0) {
    const images = env["TERRARIUM_QEMU_IMAGES"] ? "" : "TERRARIUM_QEMU_IMAGES=/path/of/android-14.0 ";
    const says = "it is installed, and emulates where kvm is missing";
    return { what: "qemu", is_possible: true, says, help: helpWith("qemu", images) };
  }
  const help = "sudo apt-get install qemu-system-x86 qemu-utils";
  return { what: "qemu", is_possible: false, says: `there is no ${missing.join(" and no ")}`, help };
}

/** That the file can be opened proves nothing: hosts without these flags have it, and no guest boots on them. */
async function lookAtKvm(
  path: string,
  read: (path: string) => Promise<string>,
  isThere: IsThere,
): Promise<Possibility> {
  const processors = await read("proc/cpuinfo");
  const hasFlags = hasVirtualization(processors);
  const isArm = /^CPU implementer/m.test(processors);
  if (!(await isThere(path)))
    return {
      what: "kvm",
      is_possible: false,
      says: `there is no ${path}`,
      help: hasFlags
        ? "sudo modprobe kvm_intel || sudo modprobe kvm_amd"
        : "switch on virtualization in the firmware or the hypervisor",
    };
  if (!hasFlags && !isArm)
    return {
      what: "kvm",
      is_possible: false,
      says: `${path} is there, but the processor has neither vmx nor svm, so that no unmodified guest boots`,
      help: "switch on nested virtualization in the hypervisor",
    };
  if (!(await isThere(path, constants.R_OK | constants.W_OK)))
    return {
      what: "kvm",
      is_possible: false,
      says: `${path} may not be used by this account`,
      help: "sudo usermod -aG kvm $USER",
    };
  return {
    what: "kvm",
    is_possible: true,
    says: `${path} can be used, and the processor has virtualization`,
    help: null,
  };
}

async function lookAtBinder(
  path: string,
  read: (path: string) => Promise<string>,
  isThere: IsThere,
): Promise<Possibility> {
  if (/^nodev\s+binder$/m.test(await read("proc/filesystems")))
    return {
      what: "binder",
      is_possible: true,
      says: "the kernel has it, so that Android can run in containers",
      help: null,
    };
  if (await isThere(path))
    return {
      what: "binder",
      is_possible: false,
      says: `the kernel has ${path}, but no binder file system, so that Androids in containers would share one binder`,
      help: "use a kernel with CONFIG_ANDROID_BINDERFS",
    };
  return {
    what: "binder",
    is_possible: false,
    says: "the kernel has none, so that no Android runs in containers here",
    help: "sudo modprobe binder_linux devices=binder,hwbinder,vndbinder",
  };
}

/** What a socket answers to a few bytes until it closes, or the time for it is over; undefined if nobody is there. Never rejects. */
function ask(address: { host: string; port: number } | { path: string }, request: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = "";
    const finish = () => resolve(answer === "" ? undefined : answer);
    try {
      const socket = connect(address, () => socket.write(request));
      const timer = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS);
      socket.on("data", (data: Buffer) => {
        answer += data.toString();
        if (answer.length > MAX_ANSWER) socket.destroy();
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        clearTimeout(timer);
        finish();
      });
    } catch {
      // The address is not valid.
      finish();
    }
  });
}
