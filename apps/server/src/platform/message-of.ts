/** What an error says. Node gives no words to one that stands for several: a name with two addresses that both refuse. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
