/** What the app's modules expect of a browser when they are loaded: a storage that is empty, an address, and events, of which there are none. */
const empty: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
  key: () => null,
  length: 0,
};
for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(globalThis, name, { value: empty });
Object.defineProperty(globalThis, "location", { value: new URL("http://localhost/") });
Object.defineProperty(globalThis, "addEventListener", { value: () => undefined });
