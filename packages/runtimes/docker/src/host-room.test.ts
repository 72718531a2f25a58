import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it } from "vitest";
import { HostRoom } from "./host-room.ts";

const { ramMb } = aMachineSpec().hardware;

it("has room for so many devices, those included that are being started", () => {
  const room = new HostRoom({ maxDevices: 2, memoryMb: () => 100 * ramMb });
  expect(room.take(aMachineSpec({ id: "one" }))).toBeUndefined();
  expect(room.take(aMachineSpec({ id: "two" }))).toBeUndefined();
  expect(room.take(aMachineSpec({ id: "three" }))).toBe("it has its 2 devices");
  room.release("two");
  expect(room.take(aMachineSpec({ id: "three" }))).toBeUndefined();
});

it("leaves a tenth of the memory to the host", () => {
  const room = new HostRoom({ maxDevices: 2, memoryMb: () => ramMb });
  expect(room.take(aMachineSpec())).toMatch(/^it has \d+ MiB of memory for devices, and this one needs \d+$/);
});
