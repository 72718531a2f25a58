import { z } from "zod";

export const Device = z.uuid().describe("The device's uuid, from start_device or list_devices");

/** What a tool answers with. */
export const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
