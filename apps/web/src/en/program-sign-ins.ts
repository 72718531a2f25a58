import { sentences } from "./sentences.ts";

export const programSignIns = sentences({
  programSignIns: {
    enter: {
      title: "Sign in the command line",
      lead: "Type the code that your terminal shows.",
      code: "Code",
      submit: "Continue",
      busy: "Looking…",
    },
    loading: "Looking who asks",
    decide: {
      title: "Let {{host}} sign in as you?",
      lead: "Approve only if you have just started this yourself, and your terminal shows this code.",
      code: "Code",
      host: "Machine, as it says",
      asked: "Asked",
      address: "From",
      may: "May",
      until: "Until",
      approve: "Approve",
      approving: "Approving…",
      refuse: "Refuse",
    },
    approved: {
      title: "You approved {{host}}",
      text: "Go back to your terminal: it signs in within some seconds. Stay signed in here until then. You can revoke its API token at any time.",
    },
    refused: {
      title: "You refused {{host}}",
      text: "It has got nothing. If you did not start it, nothing else is to be done.",
    },
    tokens: "API tokens",
    expired: {
      title: "This code does not work",
      text: "It is mistyped, was used, or is older than ten minutes. Begin again in your terminal if it is older.",
      other: "Type another code",
    },
    failed: { title: "The code could not be looked up", text: "It still works. Try again in a moment." },
  },
  errors: {
    decideProgramSignIn: "That could not be done. Try again in a moment.",
    programSignInExpired: "This code does not work any more. Begin again in your terminal.",
    programSignInTooMany: "Too many tries. Wait a while, then try again.",
  },
});
