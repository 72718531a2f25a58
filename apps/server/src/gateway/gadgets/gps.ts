import { type GpsField, gpsMessage } from "@terrarium/player";
import type { MachineConsole } from "@terrarium/runtime";
import type { GadgetDevice, OpenGadget } from "./gadget.ts";
import { Held, type Ways } from "./held.ts";
import { hasGadget, runGadget, runOnDevice } from "./run-on-device.ts";

type Place = Partial<Record<GpsField, number>> & { on: boolean };

/** `cmd location providers` takes a place since Android 12. */
const FIRST_SDK = 31;
const fields = ["latitude", "longitude", "altitude", "accuracy", "bearing", "speed"] as const satisfies GpsField[];

/** A simulated device takes everything; an emulator what its receiver would; stock Android a place for tests, which has no altitude, bearing or speed. */
export const openGps: OpenGadget = async (device, probing) => {
  const { console } = device;
  const has = device.isSimulated
    ? await hasGadget(device, "gps", probing)
    : console !== undefined || (device.sdkVersion >= FIRST_SDK && (await hasLocation(device, probing)));
  const ways = device.isSimulated ? simulated(device) : console ? emulated(device, console) : stock(device);
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

/** A field that is not sent is one that the device cannot be given. */
const messagesOf = (place: Place): string[] =>
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
  messagesOf,
});

const KNOTS = 3600 / 1852;
/** That its receiver sees. */
const SATELLITES = 10;

/** The receiver of an emulator, which is always on. */
function emulated(device: GadgetDevice, console: MachineConsole): Ways<Place> {
  let place: Place | undefined;
  return {
    name: "GPS",
    read: async (signal) => {
      if (place) return place;
      const { latitude, longitude } = lastLocation(await runOnDevice(device, ["dumpsys", "location"], signal));
      return (place = { latitude, longitude, altitude: 0, speed: 0, on: true });
    },
    async write(change, signal) {
      const { latitude = 0, longitude = 0, altitude = 0, speed = 0 } = { ...place, ...change };
      const words = [longitude, latitude, altitude, SATELLITES, (speed * KNOTS).toFixed(2)];
      await console.send(`geo fix ${words.join(" ")}`, signal);
      place = { latitude, longitude, altitude, speed, on: true };
    },
    messagesOf,
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
    messagesOf,
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
