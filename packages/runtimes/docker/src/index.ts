export { dockerRuntime, type DockerRuntimeOptions } from "./docker-runtime.ts";
export { runtime } from "./runtime.ts";
