import { fieldMessages } from "@terrarium/contract";

export const errors = {
  forms: {
    ...fieldMessages,
    invisible: "Use characters that can be seen",
  },
  page: {
    title: "This page did not load",
    safe: "Your devices keep running and nothing is lost.",
    home: "Go to the start page",
    code: "Code {{code}}",
    request: "Request {{id}}",
  },
} as const;
