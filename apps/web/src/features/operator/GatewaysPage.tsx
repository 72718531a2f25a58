import "../../en/operator.ts";
import { Box, Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import LogOut from "lucide-react/icons/log-out";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { sizeText } from "../../components/size-text.ts";
import { StateChip } from "../../components/StateChip.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { FactGrid, Facts } from "./Facts.tsx";
import { FoundDevice, Machine } from "./FoundOnMachine.tsx";
import { type Overview, setGateway } from "./operator.queries.ts";
import { OverviewState } from "./OverviewState.tsx";

/** As long the service itself waits before it says that a process is silent. */
const SILENT_S = 35;

/** The gateways that run devices, and every process of the service with the load of its machine. */
export default function GatewaysPage() {
  const { t } = useTranslation();
  const { asked, ask, close } = useDialog<{ what: "drain"; id: string }>();
  const { mutate: set } = useMutation(setGateway);
  return (
    <>
      <PageHeader title={t("common.titles.operatedGateways")} />
      <OverviewState>
        {({ gateways, servers }) => (
          <Box sx={{ display: "grid", gap: 6, mt: 5 }}>
            <Part title={t("operator.gateways.title")} none={gateways.length === 0 && t("operator.gateways.none")}>
              {gateways.map((gateway) => (
                <Gateway
                  key={gateway.id}
                  gateway={gateway}
                  onDrain={() => ask({ what: "drain", id: gateway.id })}
                  onUndrain={() => set({ id: gateway.id, is_draining: false })}
                />
              ))}
            </Part>
            {gateways.some(({ found }) => found.length > 0) && (
              <Part title={t("operator.found.title")} none={false}>
                {gateways.flatMap(({ id, found }) =>
                  found.map((device) => (
                    <FoundDevice key={`${id} ${device.runtime} ${device.key}`} gateway={id} device={device} />
                  )),
                )}
              </Part>
            )}
            <Part
              title={t("operator.gateways.processes")}
              none={servers.length === 0 && t("operator.gateways.noProcesses")}
            >
              {servers.map((server) => (
                <Server key={server.id} server={server} />
              ))}
            </Part>
          </Box>
        )}
      </OverviewState>
      <OpenDialog
        asked={asked}
        dialogs={{
          drain: ({ id }) => (
            <ConfirmDialog
              title={t("operator.gateways.drainDialog.title", { id })}
              confirm={t("operator.gateways.drain")}
              onClose={close}
              onConfirm={() => {
                close();
                set({ id, is_draining: true });
              }}
            >
              <Typography color="textSecondary">{t("operator.gateways.drainDialog.help")}</Typography>
            </ConfirmDialog>
          ),
        }}
      />
    </>
  );
}

function Part({ title, none, children }: { title: string; none: string | false; children: React.ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Typography variant="h2" sx={{ mb: 3 }}>
        {title}
      </Typography>
      {none ? <Typography color="textSecondary">{none}</Typography> : <FactGrid>{children}</FactGrid>}
    </Box>
  );
}

interface GatewayProps {
  gateway: Overview["gateways"][number];
  onDrain: () => void;
  onUndrain: () => void;
}

function Gateway({ gateway: { id, zones, is_draining, devices, online, machine }, onDrain, onUndrain }: GatewayProps) {
  const { t } = useTranslation();
  return (
    <Facts
      title={id}
      mark={
        is_draining ? (
          <StateChip tone="ending" glyph={LogOut} label={t("operator.gateways.draining")} />
        ) : (
          <StateChip tone="success" glyph={CircleCheck} label={t("operator.gateways.up")} />
        )
      }
      facts={[
        [t("operator.gateways.zones"), zones?.join(", ") ?? t("operator.gateways.allZones")],
        [t("operator.gateways.devices"), devices],
        [t("operator.gateways.online"), online],
      ]}
    >
      <Machine machine={machine} />
      <Button variant="outlined" size="small" sx={{ mt: 4 }} onClick={is_draining ? onUndrain : onDrain}>
        {t(`operator.gateways.${is_draining ? "undrain" : "drain"}`)}
      </Button>
    </Facts>
  );
}

function Server({ server }: { server: Overview["servers"][number] }) {
  const { t } = useTranslation();
  const percent = (share: number) => t("operator.gateways.percent", { count: Math.round(share * 100) });
  return (
    <Facts
      title={t("operator.gateways.process", { host: server.host, pid: String(server.pid) })}
      mark={
        server.silent_seconds > SILENT_S ? (
          <StateChip tone="error" glyph={TriangleAlert} label={t("operator.gateways.silent")} />
        ) : (
          <StateChip tone="success" glyph={CircleCheck} label={t("operator.gateways.running")} />
        )
      }
      facts={[
        [t("operator.gateways.roles"), server.roles.join(", ")],
        [t("operator.gateways.version"), server.version],
        [t("operator.gateways.started"), <RelativeTime key="started" time={server.started_at} />],
        [t("operator.gateways.heard"), t("operator.gateways.heardAgo", { count: server.silent_seconds })],
        [t("operator.gateways.cpu"), server.cpu.toFixed(2)],
        [t("operator.gateways.memory"), sizeText(server.memory_bytes)],
        [t("operator.gateways.loop"), t("operator.gateways.loopMs", { count: Math.round(server.event_loop_ms) })],
        [t("operator.gateways.hostLoad"), percent(server.host_load)],
        [t("operator.gateways.hostMemory"), percent(server.host_memory)],
      ]}
    />
  );
}
