import { useCallback } from 'react';
import { useAnnounce } from './status-store.ts';
import { text } from './text.ts';

/** Copies a text and says so in the status bar, or that it was not possible. */
export function useCopy(): (copied: string, message: string, unable?: string) => void {
  const announce = useAnnounce();
  return useCallback(
    (copied, message, unable = text.rowMenu.notCopied) => {
      navigator.clipboard.writeText(copied).then(
        () => announce(message),
        () => announce(unable),
      );
    },
    [announce],
  );
}
