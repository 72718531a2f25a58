import "../en/around.ts";
import { Box, Button, useMediaQuery } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import LifeBuoy from "lucide-react/icons/life-buoy";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { matchPath, useLocation, useParams } from "react-router";
import { visuallyHidden } from "../components/hidden.ts";
import { Icon } from "../components/Icon.tsx";
// Loaded by now, so that a snack can still say that the service is away.
import "../components/SnackLine.tsx";
import { SupportDialog } from "../features/support/SupportDialog.tsx";
import { publicSettings } from "../session/settings.ts";
import { useSession } from "../session/user.ts";
import { patternOf, track } from "../shared/analytics.ts";
import { analyticsConsent } from "../shared/consent.ts";
import { ConsentBar } from "./ConsentBar.tsx";
import { countUse } from "./count-use.ts";

/** Where the button would cover a device, or help nobody. */
const suppressed = ["/instance/*", "/live-session/*", "/oops"];
export const showsSupport = (pathname: string): boolean => !suppressed.some((path) => matchPath(path, pathname));

/**
 * What lies in the corner of pages and is loaded after them: the way to support, which somebody signed in finds in the navigation instead,
 * and the question for consent. It also counts what is used, if that was given.
 */
export default function Corner() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const params = useParams();
  const isSignedIn = useSession() !== undefined;
  const settings = useQuery(publicSettings).data;
  const isAnswered = useSyncExternalStore(analyticsConsent.subscribe, analyticsConsent.isAnswered);
  const [isOpen, setOpen] = useState(false);
  // The words would lie on what is below: forms reach from side to side there.
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const page = patternOf(pathname, params);
  const isCounted = Boolean(settings?.analytics);
  const asksConsent = isCounted && !isAnswered;

  useEffect(() => countUse(), []);
  useEffect(() => {
    if (isCounted) track("page_viewed", { page });
  }, [page, isCounted]);

  if (!showsSupport(pathname)) return null;
  return (
    <>
      {asksConsent && <ConsentBar />}
      {/* It would lie on the bar. */}
      {settings?.has_support && !isSignedIn && !asksConsent && (
        <Box sx={{ position: "fixed", right: 16, bottom: 16, zIndex: "fab", displayPrint: "none" }}>
          <Button size="large" sx={support} onClick={() => setOpen(true)}>
            <Icon glyph={LifeBuoy} />
            <Box component="span" sx={isPhone ? visuallyHidden : undefined}>
              {t("around.support")}
            </Box>
          </Button>
        </Box>
      )}
      {isOpen && <SupportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

const support = {
  gap: 2,
  minWidth: 44,
  px: { xs: 0, sm: 4 },
  background: "var(--mui-palette-background-raised)",
  boxShadow: "var(--depth-3)",
} as const;
