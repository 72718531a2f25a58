export const common = {
  product: "Terrarium",
  skipToContent: "Skip to content",
  cancel: "Cancel",
  close: "Close",
  tryAgain: "Try again",
  copy: "Copy",
  copied: "Copied",
  none: "–",
  navigation: {
    main: "Main",
    open: "Open navigation",
    virtualDevices: "Virtual devices",
    account: "Account",
    signOut: "Sign out",
    signedInAs: "Signed in as {{email}}",
  },
  theme: { label: "Theme", light: "Light", dark: "Dark", system: "System" },
} as const;
