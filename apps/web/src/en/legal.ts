import { sentences } from "./sentences.ts";

/** Brief and in plain words; the operator of an installation is who the reader deals with. */
export const legal = sentences({
  legal: {
    updated: "Last updated {{date}}",
    back: "Back",
    terms: {
      title: "Terms and conditions",
      date: "2024-05-20",
      sections: [
        {
          title: "Who runs this service",
          text: "Terrarium is open software. Whoever operates this installation provides the service to you and answers for it.",
        },
        {
          title: "Your devices and data",
          text: "What you put on a device is yours. A device that ends without being saved is removed with everything on it.",
        },
        {
          title: "Fair use",
          text: "Use devices only for what is lawful, and do not use them to disturb other people, other devices or other services.",
        },
        {
          title: "The software",
          text: "The software is licensed under the Apache License 2.0 and comes without warranty, as that licence says.",
        },
      ],
    },
    privacy: {
      title: "Privacy notice",
      date: "2024-05-20",
      sections: [
        {
          title: "What is kept",
          text: "Your name, email address and organization; when you signed in; which devices you ran and when.",
        },
        {
          title: "What it is for",
          text: "Running the service, showing you your devices and, where the operator charges for use, billing it.",
        },
        {
          title: "Where it goes",
          text: "Nowhere: this service sends nothing to anyone else and sets no tracking cookies.",
        },
      ],
    },
  },
});
