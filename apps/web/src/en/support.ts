import { sentences } from "./sentences.ts";

export const support = sentences({
  support: {
    title: "Write to support",
    lead: "Whoever operates this installation gets your message and replies by email.",
    email: "Your email",
    message: "Message",
    help: "Name the device or recipe that it is about. Never send passwords or tokens.",
    send: "Send message",
    busy: "Sending",
    cancel: "Cancel",
    sent: "Message sent. The reply comes by email.",
    tooMany: "You have sent many messages. Wait a while, then try again.",
    failed: "The message was not sent. Try again.",
  },
});
