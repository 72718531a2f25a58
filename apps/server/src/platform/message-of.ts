/** The message of an error. Node's AggregateErrors have none of their own, as when both addresses of a host refuse the connection. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
