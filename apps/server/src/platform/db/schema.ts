/** The tables, as kysely sees them. */
// eslint-disable-next-line typescript/no-empty-object-type
export interface Schema {}
