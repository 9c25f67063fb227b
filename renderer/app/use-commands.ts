import { useEffect, useEffectEvent } from 'react';
import { isCommandId, type CommandId } from '../../core/app/commands.ts';
import { desktop, isMac } from '../platform/desktop.ts';
import { commandOf } from '../ui/keys.ts';

/** Runs commands from the keyboard and from the shell's native menu. A key that was handled here is not the menu's any more. */
export function useCommands(run: (id: CommandId) => void): void {
  const onCommand = useEffectEvent(run);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const id = commandOf(event, isMac);
      if (id === undefined || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      // A dialog decides first: behind it nothing moves.
      if (document.querySelector('[aria-modal=true]') === null) onCommand(id);
    }
    // In the capture phase, before the editor takes a key for its own.
    window.addEventListener('keydown', onKeyDown, true);
    const stop = desktop?.onCommand((id) => {
      if (isCommandId(id) && document.querySelector('[aria-modal=true]') === null) onCommand(id);
    });
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      stop?.();
    };
  }, []);
}
