import type { AppError, Route, User } from "@terrarium/contract";
import type { SessionStore } from "./session.ts";

/** Errors that show that the user's rights have changed: a role that was lost, or terms that are to be accepted again. */
export const showsNewRights = (error: Pick<AppError, "code">, route: Pick<Route, "path">): boolean =>
  (error.code === "FORBIDDEN" || error.code === "TERMS_NOT_ACCEPTED") && !/^\/v1\/users\/:uuid$/.test(route.path);

/**
 * Makes the function that reads the signed-in user again. Whoever asks while a reading is under way waits for that one and one more,
 * which all of them share: the first may have been answered before what they ask for. A reading that fails changes nothing: the next
 * one comes, and a session that is over ends by its 401.
 */
export function userRefresher(session: SessionStore, read: (uuid: string) => Promise<User>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  let isAskedAgain = false;
  const refresh = async () => {
    const before = session.current?.user;
    if (!before) return;
    const user = await read(before.uuid).catch(() => undefined);
    // What changed meanwhile, such as terms just accepted, is newer than what was read.
    const isNews = user && session.current?.user === before && JSON.stringify(user) !== JSON.stringify(before);
    if (isNews) session.update(user);
  };
  const refreshAll = async () => {
    try {
      do {
        isAskedAgain = false;
        await refresh();
      } while (isAskedAgain);
    } finally {
      underWay = undefined;
    }
  };
  return () => {
    isAskedAgain = true;
    return (underWay ??= refreshAll());
  };
}
