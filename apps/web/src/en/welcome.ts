export const welcome = {
  home: {
    title: "Android devices, live under glass",
    lead: "Start a virtual phone, tablet, watch, car or TV in seconds. Drive it from the browser, the API or adb. Run it on your own servers.",
    signIn: "Sign in",
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
  signIn: {
    title: "Sign in",
    email: "Email",
    password: "Password",
    show: "Show password",
    hide: "Hide password",
    submit: "Sign in",
    busy: "Signing in",
    demoTitle: "Demo accounts",
    demoHelp: "This installation is a demonstration. Choose an account to sign in.",
    demoRole: { manager: "Manager", user: "User", guest: "Guest" },
    errors: {
      BAD_USERNAME_PASSWORD: "Wrong email address or password.",
      USER_NOT_ENABLED: "This account is not enabled. Ask your manager.",
      TOO_MANY_REQUESTS: "Too many tries. Wait a minute, then try again.",
      SERVICE_UNAVAILABLE: "The service cannot be reached. Check your connection and try again.",
      other: "Fail to log in. Try again in a moment.",
    },
  },
  terms: {
    title: "Terms and conditions",
    lead: "Read and accept the terms to use your devices.",
    accept: "Accept and continue",
    read: "Read the terms",
    privacy: "Read the privacy notice",
    failed: "Accepting the terms did not work. Try again.",
  },
} as const;
