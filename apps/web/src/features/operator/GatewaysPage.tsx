import "../../en/operator.ts";
import { Box, Typography } from "@mui/material";
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/PageHeader.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { sizeText } from "../../components/size-text.ts";
import { StateChip } from "../../components/StateChip.tsx";
import { FactGrid, Facts } from "./Facts.tsx";
import { FoundDevice, Machine } from "./FoundOnMachine.tsx";
import type { Overview } from "./operator.queries.ts";
import { OverviewState } from "./OverviewState.tsx";

/** As long the service itself waits before it says that a process is silent. */
const SILENT_S = 35;

/** The gateways that run devices, and every process of the service with the load of its machine. */
export default function GatewaysPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("common.titles.operatedGateways")} />
      <OverviewState>
        {({ gateways, servers }) => (
          <Box sx={{ display: "grid", gap: 6, mt: 5 }}>
            <Part title={t("operator.gateways.title")} none={gateways.length === 0 && t("operator.gateways.none")}>
              {gateways.map((gateway) => (
                <Gateway key={gateway.id} gateway={gateway} />
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

function Gateway({ gateway: { id, zones, devices, online, machine } }: { gateway: Overview["gateways"][number] }) {
  const { t } = useTranslation();
  return (
    <Facts
      title={id}
      mark={<StateChip tone="success" glyph={CircleCheck} label={t("operator.gateways.up")} />}
      facts={[
        [t("operator.gateways.zones"), zones?.join(", ") ?? t("operator.gateways.allZones")],
        [t("operator.gateways.devices"), devices],
        [t("operator.gateways.online"), online],
      ]}
    >
      <Machine machine={machine} />
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
