import { TestClock } from "@terrarium/clock";
import type { DisplaySpec, FormFactor } from "@terrarium/runtime";
import {
  DeviceState,
  type DeviceStateValues,
  type InstalledApp,
  LAUNCHER,
  ownApps,
  type ScreenHost,
} from "@terrarium/simulator/screen";

export interface FakeHostOptions {
  osVersion?: string;
  sdkVersion?: number;
  formFactor?: FormFactor;
  display?: DisplaySpec;
  hwNavigationKeys?: boolean;
  state?: Partial<DeviceStateValues>;
  apps?: InstalledApp[];
}

export interface FakeHost extends ScreenHost {
  clock: TestClock;
  files: Map<string, string>;
  logged: string[];
  /** How often something was heard to be tapped. */
  clicks: { count: number };
}

/** A device with files in memory and a clock that stands still, enough to show a screen. */
export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  const files = new Map<string, string>();
  const logged: string[] = [];
  const clicks = { count: 0 };
  const properties: Record<string, string> = {
    "ro.product.model": "Terrarium Phone",
    "ro.build.display.id": "TR1A.260302.001",
    "ro.serialno": "TERRA0001",
    "ro.product.cpu.abi": "x86_64",
  };
  const apps = options.apps ?? [
    ...ownApps
      .filter(({ packageName }) => packageName !== LAUNCHER)
      .map(({ packageName, label, versionName }) => ({ packageName, label, versionName, system: true })),
    { packageName: "org.example.tides", label: "Tides", versionName: "4.2.1", system: false },
  ];
  return {
    spec: {
      layers: [],
      id: "7f3a91c2-0000-4000-8000-000000000001",
      boot: 1,
      name: "payments-smoke-01",
      image: {
        artefact: "simulator",
        osVersion: options.osVersion ?? "16.0",
        sdkVersion: options.sdkVersion ?? 36,
        arch: "x86_64",
        imageVersion: "1.0.0",
      },
      hardware: {
        name: "Phone",
        formFactor: options.formFactor ?? "PHONE",
        displays: [options.display ?? { width: 720, height: 1280, density: 320 }],
        hwNavigationKeys: options.hwNavigationKeys ?? false,
        cpuCount: 4,
        ramMb: 4096,
        dataDiskMb: 16_384,
        properties: {},
      },
    },
    clock: new TestClock(),
    state: new DeviceState(options.state),
    property: (name) => properties[name] ?? "",
    apps: () => apps,
    readText: (path) => files.get(path),
    writeText: (path, text) => void files.set(path, text),
    click: () => void clicks.count++,
    log: (tag, message) => void logged.push(`${tag}: ${message}`),
    files,
    logged,
    clicks,
  };
}
