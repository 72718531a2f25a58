interface Props {
  /** What stands above it. */
  after: readonly { isPending: boolean }[];
  children: React.ReactNode;
}

/** A part of a page that is shown once all above it is there: else it would move under a finger that is about to press it. It loads meanwhile. */
export function InPlace({ after, children }: Props) {
  const isInPlace = after.every(({ isPending }) => !isPending);
  return <div style={{ display: isInPlace ? "contents" : "none" }}>{children}</div>;
}
