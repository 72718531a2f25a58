import { type GpsField, gpsMessage } from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { GadgetDevice, OpenGadget } from "./gadget.ts";
import { Held, type Ways } from "./held.ts";
import { hasGadget, runGadget, runOnDevice } from "./run-on-device.ts";

type Place = Partial<Record<GpsField, number>> & { on: boolean };

/** As many as a place with an altitude needs, and some. */
const SATELLITES = 8;
/** `cmd location providers` takes a place since Android 12. */
const FIRST_SDK = 31;
const fields = ["latitude", "longitude", "altitude", "accuracy", "bearing", "speed"] as const satisfies GpsField[];

const METRES_A_SECOND_PER_KNOT = 1852 / 3600;

/**
 * A simulated device takes everything; an emulator's console a place with altitude and speed, as if from a satellite; stock Android a place
 * for tests, which has no altitude, bearing or speed.
 */
export const openGps: OpenGadget = async (device, probing) => {
  const has = device.isSimulated
    ? await hasGadget(device, "gps", probing)
    : device.console !== undefined || (device.sdkVersion >= FIRST_SDK && (await hasLocation(device, probing)));
  const ways = device.isSimulated
    ? simulated(device)
    : device.console
      ? byConsole(device, device.console)
      : stock(device);
  const gps = has ? await Held.of<Place>(device, ways, probing) : undefined;
  return (
    gps && {
      capabilities: ["gps"],
      channels: ["gps"],
      introduce: (send) => gps.introduce(send),
      handle(command) {
        if (command.type === "gps") gps.want({ [command.field]: command.value });
        if (command.type === "gpsSwitch") gps.want({ on: command.on });
      },
    }
  );
};

/** A field that is not told is one that the device cannot be given. */
const tell = (place: Place): string[] =>
  fields.flatMap((field) => {
    const value = place[field];
    return value === undefined ? [] : gpsMessage(field, value);
  });

const simulated = (device: GadgetDevice): Ways<Place> => ({
  name: "GPS",
  async read(signal) {
    const { on, ...place } = await runGadget(device, "gps", {}, signal);
    return { ...Object.fromEntries(fields.map((field) => [field, numberIn(place[field])])), on: on === "true" };
  },
  write: async (change, signal) => void (await runGadget(device, "gps", change, signal)),
  tell,
});

function byConsole(device: GadgetDevice, console: MachineConsole): Ways<Place> {
  let place: Omit<Place, "accuracy" | "bearing"> | undefined;
  const known = async (signal: AbortSignal) => {
    const { latitude, longitude } = lastLocation(await runOnDevice(device, ["dumpsys", "location"], signal));
    return { latitude, longitude, altitude: 0, speed: 0, on: true };
  };
  return {
    name: "GPS",
    read: async (signal) => (place ??= await known(signal)),
    async write(change, signal) {
      const { latitude, longitude, altitude, speed, on } = { ...(place ?? (await known(signal))), ...change };
      const knots = (speed ?? 0) / METRES_A_SECOND_PER_KNOT;
      // Its satellites can be sent no place, but not be switched off.
      if (on)
        await console.send(`geo fix ${longitude} ${latitude} ${altitude} ${SATELLITES} ${knots.toFixed(2)}`, signal);
      place = { latitude, longitude, altitude, speed, on } as typeof place;
    },
    tell,
  };
}

function stock(device: GadgetDevice): Ways<Place> {
  let place: Required<Pick<Place, "latitude" | "longitude" | "accuracy" | "on">> | undefined;
  let isAdded = false;
  const providers = (words: string[], signal: AbortSignal) =>
    runOnDevice(device, ["cmd", "location", "providers", ...words], signal);
  return {
    name: "GPS",
    // Until somebody sets it, it is where the device last was.
    read: async (signal) => (place ??= lastLocation(await runOnDevice(device, ["dumpsys", "location"], signal))),
    async write({ latitude, longitude, accuracy, on }, signal) {
      place ??= lastLocation("");
      if (!isAdded) {
        await runOnDevice(device, ["appops", "set", "com.android.shell", "android:mock_location", "allow"], signal);
        await providers(["add-test-provider", "gps"], signal);
        isAdded = true;
      }
      const wanted = {
        latitude: latitude ?? place.latitude,
        longitude: longitude ?? place.longitude,
        accuracy: accuracy ?? place.accuracy,
        on: on ?? place.on,
      };
      await providers(["set-test-provider-enabled", "gps", String(wanted.on)], signal);
      const at = ["--location", `${wanted.latitude},${wanted.longitude}`, "--accuracy", String(wanted.accuracy)];
      if (wanted.on) await providers(["set-test-provider-location", "gps", ...at], signal);
      place = wanted;
    },
    tell,
  };
}

async function hasLocation({ shell }: GadgetDevice, signal: AbortSignal): Promise<boolean> {
  return (await shell(["cmd", "location", "is-location-enabled"], { signal, maxBytes: 4096 })).exitCode === 0;
}

/** Where the device last was, as `dumpsys location` has it. */
function lastLocation(text: string) {
  const [, latitude, longitude, accuracy] =
    /\bLocation\[gps (-?[\d.]{1,20}),(-?[\d.]{1,20}) hAcc=([\d.]{1,10})/.exec(text) ?? [];
  return {
    latitude: numberIn(latitude) ?? 0,
    longitude: numberIn(longitude) ?? 0,
    accuracy: numberIn(accuracy) ?? 0,
    on: true,
  };
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number(text ?? "");
  return text === undefined || text === "" || !Number.isFinite(number) ? undefined : number;
}
