import { useCallback } from 'react';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';

/** Copies a text and says so in the status bar, or that it was not possible. */
export function useCopy(): (copied: string, message: string) => void {
  const announce = useAnnounce();
  return useCallback(
    (copied, message) => {
      navigator.clipboard.writeText(copied).then(
        () => announce(message),
        () => announce(text.rowMenu.notCopied),
      );
    },
    [announce],
  );
}
