import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";
import { theme } from "../theme/theme.ts";

// React would time and describe each render for the developer's tools, and retain a stack for each element.
Object.assign(console, { timeStamp: undefined, createTask: undefined });

// What a test drew would go on to ask, and its answers be taken for those of the next test; and to move, while others need the processors.
afterEach(cleanup);

// Nothing moves: a test would wait for each motion, and the processor would paint it.
for (const name of Object.keys(theme.transitions.duration)) Object.assign(theme.transitions.duration, { [name]: 0 });
const still = document.createElement("style");
still.textContent = "*, ::before, ::after { transition: none !important; animation: none !important; }";
document.head.append(still);
