export { createDeviceServer, type DeviceServerOptions, type Installer } from "./create-device-server.ts";
