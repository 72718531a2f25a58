export { createDeviceServer, type DeviceServerOptions } from "./create-device-server.ts";
