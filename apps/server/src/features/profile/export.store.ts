import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Rows that are held at once. */
const PAGE = 500;

interface ExportedRow {
  /** Unique in its list, which is ordered by it. */
  key: unknown;
  row: unknown;
}

/** Whom the rows are about. */
interface Person {
  uuid: string;
  email: string;
}

/**
 * What is held on a person, in lists. Each column is named: secrets, hashes of tokens and keys, and the texts of mails, which contain links, are not
 * among them.
 */
export const lists: Record<string, (person: Person) => RawBuilder<ExportedRow>> = {
  sessions: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'created_at', created_at, 'ended_at', ended_at,
      'user_agent', user_agent, 'address', address, 'last_used_at', last_used_at, 'way', way) AS row
    FROM sessions WHERE user_uuid = ${uuid}`,
  embed_links: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'device', instance_uuid, 'can_control', can_control,
      'created_at', created_at, 'expires_at', expires_at) AS row
    FROM embed_links WHERE user_uuid = ${uuid}`,
  api_tokens: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'description', description, 'created_at', created_at,
      'last_access', last_access, 'prefix', prefix, 'scope', scope, 'expires_at', expires_at) AS row
    FROM api_tokens WHERE user_uuid = ${uuid}`,
  recipes: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'description', description,
      'organization', organization_uuid, 'created_at', created_at, 'updated_at', updated_at) AS row
    FROM recipes WHERE owner_uuid = ${uuid}`,
  hardware_profiles: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid,
      'created_at', created_at, 'updated_at', updated_at) AS row
    FROM hardware_profiles WHERE owner_uuid = ${uuid}`,
  os_images: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid,
      'saved_size', saved_size, 'created_at', created_at, 'updated_at', updated_at) AS row
    FROM os_images WHERE owner_uuid = ${uuid}`,
  devices: ({ uuid }) => sql`
    SELECT instances.uuid AS key, json_build_object('uuid', instances.uuid, 'name', name, 'state', state,
      'recipe', recipe_uuid, 'created_at', created_at, 'online_at', online_at, 'ended_at', ended_at,
      'online', (SELECT json_agg(json_build_object('from', began_at, 'to', nullif(runs.ended_at, 'infinity'),
        'recipe', recipe_name) ORDER BY began_at) FROM runs WHERE instance_uuid = instances.uuid),
      'history', (SELECT json_agg(json_build_object('at', at, 'event', event, 'state', to_state, 'reason', events.reason)
        ORDER BY id) FROM instance_events AS events WHERE instance_uuid = instances.uuid)) AS row
    FROM instances WHERE owner_uuid = ${uuid}`,
  live_sessions_joined: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', live_session_uuid, 'device', instance_uuid,
      'can_control', can_control, 'created_at', created_at) AS row
    FROM live_session_participants WHERE user_uuid = ${uuid}`,
  captures: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'kind', kind, 'device', instance_uuid, 'device_name', instance_name,
      'media_type', media_type, 'bytes', bytes, 'duration_ms', duration_ms, 'created_at', created_at) AS row
    FROM captures WHERE user_uuid = ${uuid} AND is_whole`,
  shares_given: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'recipe', recipe_uuid, 'message', message,
      'created_at', created_at, 'updated_at', updated_at) AS row
    FROM shares WHERE shared_by = ${uuid}`,
  shares_received: ({ uuid }) => sql`
    SELECT shares.uuid AS key, json_build_object('uuid', shares.uuid, 'recipe', shares.recipe_uuid,
      'message', message, 'created_at', created_at) AS row
    FROM share_recipients JOIN shares ON shares.recipe_uuid = share_recipients.recipe_uuid
    WHERE user_uuid = ${uuid}`,
  plan_requests: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'kind', kind, 'state', state, 'form', form,
      'organization', organization_uuid, 'requested_at', requested_at, 'decided_at', decided_at) AS row
    FROM plan_requests WHERE user_uuid = ${uuid}`,
  budgets: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'organization', organization_uuid, 'unit', unit, 'amount', amount,
      'stops', stops, 'stops_at', stops_at, 'created_at', created_at) AS row
    FROM budgets WHERE user_uuid = ${uuid}`,
  groups: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid) AS row
    FROM group_users JOIN groups ON uuid = group_uuid WHERE user_uuid = ${uuid}`,
  directory: ({ uuid }) => sql`
    SELECT user_uuid AS key, json_build_object('user_name', user_name, 'external_id', external_id,
      'changed_at', changed_at, 'removed_at', removed_at) AS row
    FROM directory_users WHERE user_uuid = ${uuid}`,
  mails: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'to', to_address, 'subject', subject,
      'created_at', created_at, 'sent_at', sent_at) AS row
    FROM mails WHERE to_address = ${email}`,
  identities: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'provider', provider, 'label', label, 'issuer', issuer,
      'subject', subject, 'email', email, 'created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM identities WHERE user_uuid = ${uuid}`,
  passkeys: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'made_for', rp_id, 'is_synced', is_synced,
      'transports', transports, 'created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM passkeys WHERE user_uuid = ${uuid}`,
  totp_factors: ({ uuid }) => sql`
    SELECT user_uuid AS key, json_build_object('created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM totp_factors WHERE user_uuid = ${uuid}`,
  recovery_codes: ({ uuid }) => sql`
    SELECT code_hash AS key, json_build_object('created_at', created_at) AS row
    FROM recovery_codes WHERE user_uuid = ${uuid}`,
  sso_flows: ({ uuid, email }) => sql`
    SELECT state_hash AS key, json_build_object('provider', provider, 'invited_email', invited_email,
      'expires_at', expires_at) AS row
    FROM sso_flows WHERE user_uuid = ${uuid} OR invited_email = ${email}`,
  invitations: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'email', email, 'organization', organization_uuid,
      'message', message, 'created_at', created_at, 'sent_at', sent_at, 'expires_at', expires_at) AS row
    FROM invitations WHERE email = ${email}`,
  sign_ups: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'email', email, 'organization_name', organization_name,
      'zone', zone, 'tnc_accepted_at', tnc_accepted_at, 'created_at', created_at) AS row
    FROM sign_ups WHERE email = ${email}`,
  sign_up_links: ({ email }) => sql`
    SELECT key_hash AS key, json_build_object('email', email, 'sign_up', sign_up_uuid, 'expires_at', expires_at) AS row
    FROM sign_up_links WHERE email = ${email}`,
  password_links: ({ uuid }) => sql`
    SELECT key_hash AS key, json_build_object('expires_at', expires_at) AS row
    FROM password_links WHERE user_uuid = ${uuid}`,
  sign_in_places: ({ uuid }) => sql`
    SELECT mark AS key, json_build_object('created_at', created_at, 'seen_at', seen_at) AS row
    FROM sign_in_places WHERE user_uuid = ${uuid}`,
  idempotency_keys: ({ uuid }) => sql`
    SELECT key, json_build_object('key', key, 'reply', reply, 'created_at', created_at) AS row
    FROM idempotency_keys WHERE user_uuid = ${uuid}`,
  // In two halves, each of which is read in order from an index.
  audit: ({ uuid }) => sql`
    SELECT id AS key, ${auditRow(uuid)} AS row FROM audit_records WHERE actor_uuid = ${uuid}
    UNION ALL
    SELECT id, ${auditRow(uuid)} FROM audit_records
    WHERE subject_uuid = ${uuid} AND actor_uuid IS DISTINCT FROM ${uuid}`,
};

const auditRow = (uuid: string) => sql`json_build_object('at', at, 'action', action, 'outcome', outcome,
      'actor', actor_uuid, 'subject_kind', subject_kind, 'subject', subject_uuid,
      'address', CASE WHEN actor_uuid = ${uuid} THEN address END, 'details', details)`;

/** The lists of what is held on a person, each a page at a time. */
export function* exportedLists(
  db: Database,
  person: Person,
): Generator<{ name: string; pages: AsyncGenerator<unknown[]> }> {
  for (const [name, rowsOf] of Object.entries(lists)) yield { name, pages: pagesOf(db, rowsOf(person)) };
}

async function* pagesOf(db: Database, rowsOf: RawBuilder<ExportedRow>): AsyncGenerator<unknown[]> {
  let after: unknown;
  for (;;) {
    const { rows } = await pageOf(rowsOf, after).execute(db);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    after = rows.at(-1)?.key;
    if (rows.length < PAGE) return;
  }
}

/** The first rows of a list, or those after a key. */
export const pageOf = (rowsOf: RawBuilder<ExportedRow>, after: unknown): RawBuilder<ExportedRow> => sql`
  SELECT key, row FROM (${rowsOf}) AS held ${after === undefined ? sql`` : sql`WHERE key > ${after}`} ORDER BY key LIMIT ${PAGE}`;
