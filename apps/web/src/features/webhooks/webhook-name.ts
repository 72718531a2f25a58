/** What people know a webhook by: its description, or its address without what all have. */
export const webhookName = ({ url, description }: { url: string; description: string }): string =>
  description || url.replace(/^https:\/\//, "");
