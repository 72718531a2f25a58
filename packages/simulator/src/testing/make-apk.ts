import { strToU8, zipSync } from "fflate";
import { makeBinaryXml } from "./make-binary-xml.ts";

export interface MakeApkOptions {
  packageName: string;
  versionCode?: number;
  versionName?: string;
  minSdk?: number;
  targetSdk?: number;
  label?: string;
  /** The part of a split application that it is. */
  split?: string;
  /** ABIs to bring a native library for. */
  abis?: readonly string[];
  debuggable?: boolean;
  testOnly?: boolean;
  /** Class of a launcher activity, such as `.Main`. */
  activity?: string;
  /** More bytes, so that the file is large; they do not compress away. */
  padding?: Uint8Array;
}

/** A small but valid APK for tests: a zip with a binary AndroidManifest.xml, without code or signature. */
export function makeApk(options: MakeApkOptions): Uint8Array {
  const { versionCode = 1, versionName = "1.0", minSdk = 21, targetSdk = 34, abis = [] } = options;
  const manifest = makeBinaryXml({
    name: "manifest",
    attributes: { versionCode, versionName },
    plain: {
      package: options.packageName,
      ...(options.split === undefined ? {} : { split: options.split }),
    },
    children: [
      { name: "uses-sdk", attributes: { minSdkVersion: minSdk, targetSdkVersion: targetSdk } },
      {
        name: "application",
        attributes: {
          ...(options.label === undefined ? {} : { label: options.label }),
          ...(options.debuggable === undefined ? {} : { debuggable: options.debuggable }),
          ...(options.testOnly === undefined ? {} : { testOnly: options.testOnly }),
        },
        children: options.activity
          ? [
              {
                name: "activity",
                attributes: { name: options.activity },
                children: [
                  {
                    name: "intent-filter",
                    children: [
                      { name: "action", attributes: { name: "android.intent.action.MAIN" } },
                      { name: "category", attributes: { name: "android.intent.category.LAUNCHER" } },
                    ],
                  },
                ],
              },
            ]
          : [],
      },
    ],
  });
  return zipSync({
    "AndroidManifest.xml": manifest,
    "classes.dex": strToU8("dex\n035\0"),
    ...Object.fromEntries(abis.map((abi) => [`lib/${abi}/libtest.so`, strToU8("\x7fELF")])),
    ...(options.padding ? { "assets/padding.bin": [options.padding, { level: 0 }] } : {}),
  });
}
