import { useCommandHandlers } from '../platform/commands.ts';
import { desktop } from '../platform/desktop.ts';
import { session } from '../platform/session.ts';
import { text } from '../ui/text.ts';

/** Signs out of this browser's tab; the desktop app's window has no session of its own. */
export function useSignOut(): void {
  useCommandHandlers({
    'app.signOut': desktop ? text.signIn.noSignOut : () => void session.signOut(),
  });
}
