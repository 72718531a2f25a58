import { fieldMessages } from "@terrarium/contract";

export const errors = {
  forms: {
    ...fieldMessages,
    amount: "Enter an amount such as 12.50, up to {{max}}",
    samePassword: "Confirm with same password",
    formFactor: "The OS image does not support the form factor of the hardware profile",
    arch: "Your organization does not support this architecture",
  },
  page: {
    title: "This page did not load",
    safe: "Your devices keep running and nothing is lost.",
    home: "Go to the start page",
    code: "Code {{code}}",
    request: "Request {{id}}",
  },
} as const;
