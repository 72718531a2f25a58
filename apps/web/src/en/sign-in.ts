import { sentences } from "./sentences.ts";

export const signIn = sentences({
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
});
