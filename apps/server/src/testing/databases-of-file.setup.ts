import { afterAll } from "vitest";
import { dropTestDatabases } from "./database.ts";

// Files share a process and its modules, but run this each.
afterAll(dropTestDatabases);
