import { sentences } from "./sentences.ts";

export const home = sentences({
  home: {
    title: "Android devices, live under glass",
    lead: "Start a virtual phone, tablet, watch, car or TV in seconds. Drive it from the browser, the API or adb. Run it on your own servers.",
    signIn: "Sign in",
    commands: {
      title: "Run it yourself",
      clone: "git clone {{repository}} terrarium",
      start: "cd terrarium && npm start",
      startAlone: "npm start",
    },
    live: {
      try: "A live device of this installation. Touch it.",
      watch: "A live device of this installation.",
      waiting: "The device is on its way.",
      tooOften: "The device was asked for too often. Try again in ten minutes.",
      pause: "Pause the device",
      play: "Play with the device",
    },
    links: { api: "API description", terms: "Terms and conditions", privacy: "Privacy notice" },
    points: {
      live: { title: "Live in moments", text: "A device is there before you have put the phone on your desk down." },
      open: {
        title: "Yours to run",
        text: "One command on a laptop, PostgreSQL and containers for a fleet. The same features everywhere.",
      },
      tools: {
        title: "Your tools work",
        text: "Every device answers adb, and the API speaks what your scripts already send.",
      },
    },
  },
});
