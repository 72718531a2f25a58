import { sentences } from "./sentences.ts";

/** What is said of a device wherever one is shown or stopped. */
export const devices = sentences({
  launchpad: {
    states: {
      creating: "Creating",
      starting: "Starting",
      booting: "Booting",
      online: "Online",
      saving: "Saving",
      stopping: "Stopping",
      offline: "Offline",
      recycled: "Recycled",
      error: "Error",
      revoked: "Revoked",
      expired: "Expired",
    },
    shapes: { phone: "Phone", tablet: "Tablet", foldable: "Foldable", watch: "Watch", car: "Car", tv: "TV" },
    deviceActions: {
      stopSuccess: "Stopping {{name}}",
      stopSuccess_other: "Stopping {{count}} devices",
    },
    stopDialog: {
      title_one: "Stop {{name}}?",
      title_other: "Stop {{count}} devices?",
      warning_one: "What changed on it since it started is lost.",
      warning_other: "What changed on them since they started is lost.",
      id: "ID",
      owner: "Owner",
      started: "Started",
      confirm_one: "Stop device",
      confirm_other: "Stop {{count}} devices",
    },
  },
  errors: {
    stopDevice: "The device could not be stopped.",
    stopDevice_other: "{{count}} devices could not be stopped.",
    dismissDevice: "The device could not be dismissed.",
    deviceNotFound: "Device not found.",
  },
});
