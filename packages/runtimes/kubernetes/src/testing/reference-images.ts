import { type Adbd, makeReferenceRoot } from "@terrarium/adb/testing";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Is Android as far as adb is, with a first process that is not adbd itself, as on Android. */
const INIT = `#!/bin/sh
for word; do echo "$word"; done > /boot-arguments
mkdir -p /data/local/tmp
[ "$1" = silent ] && exec sleep 1000000
/adbd &
echo adbd has started
wait
`;

/** The root folder of a device's image. Rejects with the reason where it cannot be made. */
export async function referenceImage(adbd: Adbd): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "terrarium-image-"));
  await makeReferenceRoot(root, adbd, INIT);
  return root;
}
