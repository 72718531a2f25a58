import { afterAll } from "vitest";
import { cleanup } from "vitest-browser-react";

// React would time and describe each render for the developer's tools, and keep a stack for each element.
Object.assign(console, { timeStamp: undefined, createTask: undefined });

// What the last test of a file drew would go on to ask and to move, while others need the processors.
afterAll(cleanup);
