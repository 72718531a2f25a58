export const errors = {
  forms: {
    required: "Required",
    email: "Use a valid email address",
    invisible: "Use characters that can be seen",
  },
  fetchDevices: "Devices did not load. They keep running.",
  stopDevice: "The device could not be stopped.",
  stopDevice_other: "{{count}} devices could not be stopped.",
  dismissDevice: "The device could not be dismissed.",
  deviceNotFound: "Device not found.",
  page: {
    title: "This page did not load",
    safe: "Your devices keep running and nothing is lost.",
    home: "Go to the start page",
    code: "Code {{code}}",
    request: "Request {{id}}",
  },
} as const;
