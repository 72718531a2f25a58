import { sentences } from "./sentences.ts";

export const botCheck = sentences({
  botCheck: {
    label: "Check that you are no robot",
  },
});
