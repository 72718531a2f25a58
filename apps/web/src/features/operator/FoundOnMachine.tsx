import "../../en/operator.ts";
import { Box, Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { StateChip } from "../../components/StateChip.tsx";
import { Facts } from "./Facts.tsx";
import { offerDevice, type Overview } from "./operator.queries.ts";

type Gateway = Overview["gateways"][number];

/** What a gateway's machine could run Android with, and what adds the rest. */
export function Machine({ machine }: Pick<Gateway, "machine">) {
  const { t } = useTranslation();
  if (machine.length === 0) return null;
  return (
    <>
      <Typography variant="label" component="h4" sx={{ mt: 5 }}>
        {t("operator.found.machine")}
      </Typography>
      <Box component="ul" aria-label={t("operator.found.machine")} sx={{ listStyle: "none", p: 0, my: 0 }}>
        {machine.map(({ what, is_possible, says, help }) => (
          <Box component="li" key={what} sx={{ mt: 3, overflowWrap: "anywhere" }}>
            <StateChip
              tone={is_possible ? "success" : "ending"}
              glyph={is_possible ? CircleCheck : CircleDashed}
              label={t(is_possible ? "operator.found.possible" : "operator.found.missing", { what })}
            />
            <Typography variant="body2" sx={{ mt: 1 }}>
              {says}
            </Typography>
            {help !== null && (
              <Box component="code" sx={{ typography: "mono", color: "text.secondary" }}>
                {help}
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </>
  );
}

/** A device that is there already. One press makes a recipe of it. */
export function FoundDevice({ gateway, device }: { gateway: string; device: Gateway["found"][number] }) {
  const { t } = useTranslation();
  const { mutate, isPending } = useMutation(offerDevice);
  const { runtime, key, name, is_free, problem, is_offered } = device;
  return (
    <Facts
      title={name}
      mark={
        problem === null ? (
          <StateChip
            tone={is_free ? "success" : "ending"}
            glyph={is_free ? CircleCheck : CircleDashed}
            label={t(is_free ? "operator.found.free" : "operator.found.inUse")}
          />
        ) : (
          <StateChip tone="error" glyph={TriangleAlert} label={t("operator.found.away")} />
        )
      }
      facts={[
        [t("operator.found.key"), key],
        [t("operator.found.gateway"), gateway],
        ...(problem === null ? [] : [[t("operator.found.problem"), problem] as const]),
      ]}
    >
      {is_offered ? (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {t("operator.found.offered")}
        </Typography>
      ) : (
        <Button
          variant="outlined"
          sx={{ mt: 3 }}
          disabled={isPending || problem !== null}
          aria-label={t("operator.found.offerIt", { name })}
          onClick={() => mutate({ gateway, runtime, key, name })}
        >
          {t("operator.found.offer")}
        </Button>
      )}
    </Facts>
  );
}
