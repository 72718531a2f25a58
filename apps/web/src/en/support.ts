import { sentences } from "./sentences.ts";

export const support = sentences({
  support: {
    title: { support: "Write to support", feedback: "Send feedback" },
    lead: {
      support: "Whoever operates this installation gets your message and replies by email.",
      feedback:
        "Whoever operates this installation gets your message, and replies by email if there is something to ask.",
    },
    email: "Your email",
    message: "Message",
    help: {
      support: "Name the device or recipe that it is about. Never send passwords or tokens.",
      feedback: "What is missing, what is in the way, what is good? Never send passwords or tokens.",
    },
    send: "Send message",
    busy: "Sending",
    cancel: "Cancel",
    sent: { support: "Message sent. The reply comes by email.", feedback: "Feedback sent. Thank you." },
    tooMany: "You have sent many messages. Wait a while, then try again.",
    failed: "The message was not sent. Try again.",
  },
});
