import { Box, Typography } from "@mui/material";
import { useMe } from "../session/user.ts";
import { MailPasswordLink } from "./MailPasswordLink.tsx";

/** In place of a form that asks for a password that the account does not have: the way to a first one. */
export function NoPassword({ says }: { says: string }) {
  const { email } = useMe();
  return (
    <Box sx={{ display: "grid", gap: 3, justifyItems: "start" }}>
      <Typography>{says}</Typography>
      <MailPasswordLink email={email} />
    </Box>
  );
}
