import { BackLink } from "../../components/links.tsx";
import "../../en/updates.ts";
import { Box, Typography } from "@mui/material";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useParams } from "react-router";
import { readUpdates, updateOf } from "./updates.ts";
import { UpdateText } from "./UpdateText.tsx";

/** One entry of what's new, for anybody. An entry that does not exist leads home. */
export default function UpdatePage() {
  const { t } = useTranslation();
  const id = updateOf(useParams().id)?.id;
  useEffect(() => {
    const read = readUpdates.read();
    if (id && !read.includes(id)) readUpdates.write([...read, id]);
  }, [id]);
  if (!id) return <Navigate to="/" replace />;
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <BackLink to="/" mb={4}>
        {t("updates.back")}
      </BackLink>
      <Typography variant="label" component="p" color="primary">
        {t("updates.title")}
      </Typography>
      <Typography variant="figure" component="h1" sx={{ mt: 1, mb: 2 }}>
        {t(`updates.entries.${id}.title`)}
      </Typography>
      <UpdateText id={id} />
    </Box>
  );
}

const page = { maxWidth: 640, mx: "auto", px: { xs: 4, sm: 6 }, py: { xs: 6, sm: 16 } } as const;
