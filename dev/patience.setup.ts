import { vi } from "vitest";
import { patience } from "./patience.ts";

// `expect.poll` and locators are given theirs by the configuration, which has none for this.
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options = patience) => waitFor(callback, options);
vi.waitUntil = (callback, options = patience) => waitUntil(callback, options);
