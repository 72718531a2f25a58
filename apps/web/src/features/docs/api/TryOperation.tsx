import { Box, Button, Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextInput } from "../../../components/TextInput.tsx";
import { session } from "../../../session/client.ts";
import type { Operation } from "./api-document.ts";
import { Code } from "./Code.tsx";
import { bodyOf, curlOf, type Filled, missingOf, requestOf } from "./request-of.ts";
import { exampleOf, type Schema } from "./schema-text.ts";

/** As much of an answer as is shown. */
const SHOWN = 100_000;

interface Answer {
  status: number;
  requestId: string | null;
  text: string;
}

/** Sends an operation to this service, as whoever is signed in or with an API token, and shows the answer. */
export function TryOperation({ operation, named }: { operation: Operation; named: Readonly<Record<string, Schema>> }) {
  const { t } = useTranslation();
  const { method, security, parameters } = operation;
  const body = bodyOf(operation);
  const [token, setToken] = useState("");
  const [filled, setFilled] = useState<Filled>(() => ({
    values: {},
    body: body && !body.isFile ? JSON.stringify(exampleOf(body.schema, named), null, 2) : "",
    file: undefined,
  }));
  const { mutate, data, isPending, error } = useMutation({ mutationFn: () => send(operation, filled, token) });
  const missing = missingOf(operation, filled);
  const isJson = !filled.body || isJsonText(filled.body);
  return (
    <Box
      component="form"
      aria-label={t("docs.api.try")}
      sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 4 }}
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Typography variant="label" component="h3">
        {t("docs.api.try")}
      </Typography>
      {parameters.map(({ name, required, schema }) => (
        <TextInput
          key={name}
          label={required ? name : t("docs.api.optional", { name })}
          value={filled.values[name] ?? ""}
          placeholder={schema.default === undefined ? undefined : JSON.stringify(schema.default)}
          onChange={({ target: { value } }) =>
            setFilled((before) => ({ ...before, values: { ...before.values, [name]: value } }))
          }
        />
      ))}
      {body && !body.isFile && (
        <TextInput
          label={t("docs.api.bodyText")}
          error={isJson ? undefined : t("docs.api.noJson")}
          multiline
          maxRows={20}
          value={filled.body}
          onChange={({ target: { value } }) => setFilled((before) => ({ ...before, body: value }))}
          sx={{ typography: "mono" }}
        />
      )}
      {body?.isFile && (
        <input
          type="file"
          aria-label={t("docs.api.file")}
          onChange={({ target: { files } }) => setFilled((before) => ({ ...before, file: files?.[0] }))}
        />
      )}
      {security.length > 0 && (
        <TextInput
          label={t("docs.api.token")}
          help={t(session.current ? "docs.api.tokenOfOther" : "docs.api.tokenNeeded")}
          type="password"
          autoComplete="off"
          value={token}
          onChange={({ target: { value } }) => setToken(value.trim())}
        />
      )}
      <Code label="curl">{curlOf(operation, filled, location.origin)}</Code>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 4 }}>
        <Button type="submit" disabled={missing.length > 0 || !isJson || isPending}>
          {t("docs.api.send", { method })}
        </Button>
        {method !== "GET" && <Typography variant="caption">{t("docs.api.happens")}</Typography>}
      </Box>
      <Box component="output" sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        {error && t("docs.api.unreachable")}
        {data && (
          <>
            <Typography variant="body2" sx={{ color: "text.primary" }}>
              {t("docs.api.answered", { status: data.status, request: data.requestId ?? "-" })}
            </Typography>
            {data.text && <Code label={t("docs.api.answerBody")}>{data.text}</Code>}
          </>
        )}
      </Box>
    </Box>
  );
}

async function send(operation: Operation, filled: Filled, apiToken: string): Promise<Answer> {
  const { method, url, headers, body } = requestOf(operation, filled, location.origin);
  session.sync();
  const own = session.current?.token;
  if (operation.security.length > 0 && apiToken) headers["x-api-token"] = apiToken;
  else if (operation.security.length > 0 && own) headers["authorization"] = `Bearer ${own}`;
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const type = response.headers.get("content-type") ?? "";
  const isText = /json|^text\//.test(type);
  const text = isText ? readable(await response.text()) : type && `${(await response.blob()).size} bytes, ${type}`;
  return { status: response.status, requestId: response.headers.get("x-request-id"), text: text.slice(0, SHOWN) };
}

const readable = (text: string): string => (isJsonText(text) ? JSON.stringify(JSON.parse(text), null, 2) : text);

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
