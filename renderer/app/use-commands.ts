import { useEffect, useEffectEvent } from 'react';
import { isCommandId, type CommandId } from '../../core/app/commands.ts';
import { desktop, isMac } from '../platform/desktop.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { commandOf } from '../ui/keys.ts';

/** How a command runs now, or why it cannot. */
export interface CommandRun {
  readonly run: () => void;
  /** Said in the status bar instead of running. */
  readonly refusal?: string | undefined;
}

export type CommandRuns = Readonly<Record<CommandId, CommandRun>>;

/** Open dialogs, except the palette: commands of the palette itself go on there. */
const dialogs = '[aria-modal=true]:not([data-launcher])';
const launching: readonly CommandId[] = ['app.palette', 'record.quickOpen'];

/** Runs commands from the keyboard and from the shell's native menu; returns how to run one from elsewhere. */
export function useCommands(runs: CommandRuns): (id: CommandId) => void {
  const announce = useAnnounce();

  const perform = (id: CommandId) => {
    const { run, refusal } = runs[id];
    if (refusal === undefined) run();
    else announce(refusal);
  };

  const onCommand = useEffectEvent((id: CommandId) => {
    // A dialog decides first: behind it nothing moves.
    const covered = launching.includes(id) ? dialogs : '[aria-modal=true]';
    if (document.querySelector(covered) === null) perform(id);
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const id = commandOf(event, isMac);
      if (id === undefined) return;
      // A key that is handled here is not the browser's, the editor's or the native menu's any more.
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) onCommand(id);
    }
    // In the capture phase, before the editor takes a key for its own.
    window.addEventListener('keydown', onKeyDown, true);
    const stop = desktop?.onCommand((id) => {
      if (isCommandId(id)) onCommand(id);
    });
    return () => {
      window.removeEventListener('keydown', onKeyDown, true);
      stop?.();
    };
  }, []);

  return perform;
}
