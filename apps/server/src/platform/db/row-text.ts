/**
 * The fields of a row in PostgreSQL's text format, `(1,"two words",,"")`: an empty field is NULL, `""` the empty text.
 * https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-IO-SYNTAX
 */
export function fieldsOf(row: string): (string | null)[] {
  // What PostgreSQL leaves unquoted may have spaces beyond ASCII, which `\s` would stop at.
  const fields = row.matchAll(/[(,](?:"((?:[^"\\]|""|\\\\)*)"|([^",()\\]*))/g);
  return [...fields].map(([, quoted, plain]) => quoted?.replaceAll(/(["\\])\1/g, "$1") ?? (plain || null));
}
