const KEY = "terrarium.browser";

/**
 * What the service gave this browser to be recognized by at the next sign-in. It opens nothing and stays after a sign-out, so that nobody who
 * guesses at passwords elsewhere can lock its people out.
 */
export const knownBrowser = {
  get token(): string | undefined {
    return localStorage.getItem(KEY) ?? undefined;
  },
  remember(token: string): void {
    localStorage.setItem(KEY, token);
  },
};
