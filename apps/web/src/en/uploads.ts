import { sentences } from "./sentences.ts";

/** What is said of files that are dropped on a device. */
export const uploads = sentences({
  uploads: {
    drop: {
      title: "Drop files for {{name}}",
      help: "An APK is installed. Other files go to Download on the device.",
      into: "They go to {{folder}} on the device.",
    },
    title: "Files for {{name}}",
    progress: "How much of {{file}} is sent",
    cancel: "Cancel {{file}}",
    retry: "Send {{file}} again",
    close: "Close the list of files",
    waiting: "Waiting",
    sending: "{{sent}} of {{size}} MB",
    finishing: "The device is working on it",
    lost: "Connection lost. It goes on when it is back.",
    stored: "In Download",
    storedIn: "In {{folder}}",
    installed: "Installed",
    cancelled: "Cancelled",
    leave: "If you leave this page, what is not sent yet is not sent.",
    full: "The device has too little free storage.",
    errors: {
      FILE_REFUSED: "The device did not take it.",
      BODY_TOO_LARGE: "This installation takes no files as large as this one.",
      BODY_TOO_LARGE_MAX: "This installation takes files of up to {{max}} MB.",
      TOO_MANY_REQUESTS: "You sent many files in a short time. Wait a minute, then try again.",
      invalid_request: "A device cannot have a file of this name.",
      SERVICE_UNAVAILABLE: "The connection to the device was lost.",
      other: "The file was not sent.",
    },
  },
});
