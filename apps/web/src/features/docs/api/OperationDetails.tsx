import { Box, Link as MuiLink, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { failuresOf, type Operation } from "./api-document.ts";
import { Code } from "./Code.tsx";
import { bodyOf } from "./request-of.ts";
import { type Schema, schemaText } from "./schema-text.ts";
import { TryOperation } from "./TryOperation.tsx";

interface Props {
  operation: Operation;
  named: Readonly<Record<string, Schema>>;
}

/** What an operation takes, answers and refuses with, and a way to try it. */
export function OperationDetails({ operation, named }: Props) {
  const { t } = useTranslation();
  const { security, parameters, requestBody, responses } = operation;
  const scope = security.find(({ apiToken }) => apiToken)?.apiToken?.[0];
  const access = scope
    ? t("docs.api.needsToken", { scope })
    : t(security.length > 0 ? "docs.api.needsOperator" : "docs.api.needsNothing");
  const body = bodyOf(operation);
  const answers = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const failures = failuresOf(operation);
  return (
    <Box sx={{ pb: 6, display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 4 }}>
      <Typography variant="body2">{access}</Typography>
      {parameters.length > 0 && (
        <Part title={t("docs.api.parameters")}>
          <Code>
            {parameters
              .map(({ in: place, name, required, description, schema }) => {
                const note = [t("docs.api.in", { place }), description ?? schema.description]
                  .filter(Boolean)
                  .join("; ");
                return `${name}${required ? "" : "?"}: ${schemaText(schema, named)} // ${note}`;
              })
              .join("\n")}
          </Code>
        </Part>
      )}
      {requestBody && (
        <Part title={t("docs.api.body", { type: Object.keys(requestBody.content).join(", ") })}>
          <Code>{schemaText(Object.values(requestBody.content)[0]?.schema ?? {}, named)}</Code>
        </Part>
      )}
      {answers.map(([status, { content = {} }]) => (
        <Part key={status} title={t("docs.api.answer", { status, type: Object.keys(content).join(", ") })}>
          {Object.values(content)[0]?.schema && (
            <Code>{schemaText(Object.values(content)[0]?.schema ?? {}, named)}</Code>
          )}
        </Part>
      ))}
      <Part title={t("docs.api.refusals")}>
        <Box component="ul" sx={{ m: 0, pl: 5 }}>
          {failures.map(({ status, code, message }) => (
            <Typography key={code} component="li" variant="body2">
              {status}{" "}
              <MuiLink component={Link} to={`/docs/errors#${code}`} sx={{ typography: "mono" }}>
                {code}
              </MuiLink>{" "}
              {message}
            </Typography>
          ))}
        </Box>
      </Part>
      {(body ?? !requestBody) && <TryOperation operation={operation} named={named} />}
    </Box>
  );
}

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <div>
    <Typography variant="label" component="h3" sx={{ mb: 2 }}>
      {title}
    </Typography>
    {children}
  </div>
);
