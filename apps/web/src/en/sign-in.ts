import { sentences } from "./sentences.ts";

export const signIn = sentences({
  signIn: {
    title: "Sign in",
    email: "Email",
    password: "Password",
    submit: "Sign in",
    forgot: "Forgot your password?",
    create: "Create an account",
    busy: "Signing in",
    unconfirmed:
      "If you have just signed up, confirm your email address first: open the link in the mail that we sent you.",
    demo: {
      title: "Demo accounts",
      help: "This installation is a demonstration. Choose an account to sign in.",
      roles: {
        manager: { name: "Manager", may: "Starts devices, and sees and stops everyone’s in the organization." },
        user: { name: "User", may: "Starts and drives devices of their own." },
        guest: { name: "Guest", may: "Belongs to no organization. Sees only what is shared with them." },
      },
    },
    errors: {
      BAD_USERNAME_PASSWORD: "Fail to log in. Wrong email address or password.",
      SIGN_IN_NOT_ALLOWED: "Your organization does not let you sign in with a password. Sign in another way.",
      USER_NOT_ENABLED: "This account is not enabled. Ask your manager.",
      ORIGIN_NOT_ALLOWED: "Nobody can sign in at this address. Its operator can name it in TERRARIUM_PUBLIC_URL.",
      TOO_MANY_REQUESTS: "Too many tries. Wait a while, then try again.",
      SERVICE_UNAVAILABLE: "The service cannot be reached. Check your connection and try again.",
      other: "Fail to log in. Try again in a moment.",
    },
  },
});
