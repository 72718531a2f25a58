import { useMemo } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { session } from "../session/client.ts";
import { withRedirect } from "../session/guards.ts";
import { MeContext, meOf, useSession } from "../session/user.ts";

/** The pages of somebody signed in. When the session ends, here or in another tab, sign-in takes their place. */
export function SignedIn() {
  const user = useSession()?.user;
  const me = useMemo(() => user && meOf(user), [user]);
  const { pathname, search, hash } = useLocation();
  if (!me) {
    const back = withRedirect("/signin", pathname + search + hash);
    return <Navigate to={session.hasSignedOut ? "/signin" : back} replace />;
  }
  return (
    <MeContext.Provider value={me}>
      <Outlet />
    </MeContext.Provider>
  );
}
