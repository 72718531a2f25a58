import { useEffect, useState } from "react";
import { copyText } from "./copy-text.ts";

/** How long "Copied" stands. */
const CONFIRM_MS = 2000;

/** Copies text, and says for a while that it was copied. */
export function useCopy(): { isCopied: boolean; copy: (text: string) => void } {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return { isCopied, copy: (text) => void copyText(text).then(setCopied) };
}
