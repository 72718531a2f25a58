import { existsSync } from "node:fs";
import { run } from "./child.mjs";
import { say } from "./say.mjs";

/** The Debian packages that the tests need, each with a file that shows it is installed. */
const TOOLS = [
  { name: "chromium-headless-shell", file: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium-headless-shell" },
  { name: "adb", file: "/usr/bin/adb" },
];

/** Those for the files in deploy/, for containers and for guests of QEMU. Their tests are skipped without them, as on a machine that is booted these would start servers. */
const SERVERS = [
  { name: "nginx", file: "/usr/sbin/nginx" },
  { name: "caddy", file: "/usr/bin/caddy" },
  { name: "systemd", file: "/usr/bin/systemd-analyze" },
  { name: "coturn", file: "/usr/bin/turnserver" },
  { name: "openssl", file: "/usr/bin/openssl" },
  { name: "docker.io", file: "/usr/sbin/dockerd" },
  { name: "iptables", file: "/usr/sbin/iptables" },
  { name: "busybox-static", file: "/bin/busybox" },
  { name: "qemu-system-x86", file: "/usr/bin/qemu-system-x86_64" },
  { name: "qemu-utils", file: "/usr/bin/qemu-img" },
];

/**
 * Installs the missing ones with apt-get if we are root, and otherwise prints what to install.
 * @returns {Promise<boolean>} whether all that are needed are installed now
 */
export async function installDebianTools() {
  const isMissing = (/** @type {{ file: string }} */ { file }) => !existsSync(file);
  const missing = TOOLS.filter(isMissing).map(({ name }) => name);
  const isBooted = existsSync("/run/systemd/system");
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const servers = isDebianRoot && !isBooted ? SERVERS.filter(isMissing).map(({ name }) => name) : [];
  const packages = [...missing, ...servers];
  if (packages.length === 0) return true;
  if (!isDebianRoot) {
    say("tools", `the tests need ${missing.join(" and ")}: sudo apt-get install ${missing.join(" ")}`);
    return false;
  }
  say("tools", `installing ${packages.join(", ")} with apt-get`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], env);
  const code = await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], env);
  say("tools", code === 0 ? "installed" : `apt-get ended with code ${code}`);
  return code === 0;
}
