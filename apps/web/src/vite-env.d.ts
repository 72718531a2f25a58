/// <reference types="vite/client" />
declare module "@fontsource-variable/*";
/** A page of the documentation; docs-plugin.ts makes it. */
declare module "*.md" {
  export const sections: readonly unknown[];
}
