import { Box, Link } from "@mui/material";
import type { AuditActor, AuditEntry, AuditSubject } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { Fragment } from "react";
import { Link as RouterLink } from "react-router";
import { dateTime } from "../../components/dates.ts";
import { FactList } from "../../components/FactList.tsx";
import { auditAddress } from "../../shared/audit-address.ts";

const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });
const zoneAt = (time: string) =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === "timeZoneName")?.value ?? "";

/** Everything that is recorded of an act, and the ways to what else the same person did, or what else happened to the same thing. */
export function AuditDetails({ entry, t }: { entry: AuditEntry; t: TFunction }) {
  const { at, action, actor, credential_uuid, subject, address, request_id, details } = entry;
  const facts: [string, React.ReactNode][] = [
    [t("audit.details.at"), `${dateTime(at, "")} ${zoneAt(at)}`],
    [t("audit.details.action"), mono(action)],
    [
      t("audit.details.actor"),
      <>
        {actor.email ?? t(`audit.actors.${actor.kind as AuditActor}`)} {mono(actor.uuid)}{" "}
        {actor.uuid !== null && way(auditAddress({ search: actor.email ?? actor.uuid }), t("audit.details.byThem"))}
      </>,
    ],
    [
      t("audit.details.subject"),
      subject && (
        <>
          {subject.email ?? t(`audit.subjects.${subject.kind as AuditSubject}`)} {mono(subject.uuid)}{" "}
          {way(auditAddress({ subject: subject.uuid }), t("audit.details.toIt"))}
        </>
      ),
    ],
    [t("audit.details.address"), mono(address)],
    [t("audit.details.credential"), mono(credential_uuid)],
    [t("audit.details.request"), mono(request_id)],
    ...Object.entries(details).map(([name, value]): [string, React.ReactNode] => [
      name.replaceAll("_", " "),
      String(value ?? "–") || "–",
    ]),
  ];
  return (
    <FactList sx={{ "& dd": { textAlign: "left" } }}>
      {facts.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </FactList>
  );
}

const mono = (text: string | null) =>
  text && (
    <Box component="span" sx={{ typography: "mono", overflowWrap: "anywhere" }}>
      {text}
    </Box>
  );

const way = (to: string, says: string) => (
  <Link component={RouterLink} to={to} sx={{ whiteSpace: "nowrap" }}>
    {says}
  </Link>
);
