import "../../en/updates.ts";
import { Box, Button, Typography } from "@mui/material";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useParams } from "react-router";
import { Icon } from "../../components/Icon.tsx";
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
      <Button component={Link} to="/" variant="text" startIcon={<Icon glyph={ArrowLeft} />} sx={{ ml: -3, mb: 4 }}>
        {t("updates.back")}
      </Button>
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
