import { useCallback } from 'react';
import { useAnnounce } from './status-store.ts';
import { text } from './text.ts';

/** Returns the function that copies text and announces the result in the status bar. */
export function useCopy(): (content: string, message: string, failureMessage?: string) => void {
  const announce = useAnnounce();
  return useCallback(
    (content, message, failureMessage = text.rowMenu.notCopied) => {
      navigator.clipboard.writeText(content).then(
        () => announce(message),
        () => announce(failureMessage),
      );
    },
    [announce],
  );
}
