import { useEffect, useEffectEvent, useState } from 'react';
import { commands, isCommandId, type CommandId } from '../../core/app/commands.ts';
import type { ViewId } from '../../core/app/views.ts';
import { createCommandRegistry, type CommandRegistry } from '../platform/commands.ts';
import { useConnection } from '../platform/connection.ts';
import { desktop, isMac } from '../platform/desktop.ts';
import { commandOf } from '../ui/keys.ts';
import { useAnnounce } from '../ui/status-store.ts';
import { text } from '../ui/text.ts';
import { useStable } from '../ui/use-stable.ts';
import { viewOf } from './views.tsx';

/** What is said when the view was opened for a command, instead of running it there. */
const viewMessages: Partial<Record<CommandId, string>> = {
  'quality.next': text.quality.noWalk,
  'quality.previous': text.quality.noWalk,
};

/** The commands of this workbench, run by its parts, from the keyboard and from the shell's native menu. */
export function useCommands(openView: (id: ViewId) => void): CommandRegistry {
  const announce = useAnnounce();
  const { remote } = useConnection();
  /** Opens the view that handles a command; whether it is to be run there. */
  const openViewFor = useStable((id: CommandId, view: ViewId): boolean => {
    openView(view);
    const message = viewMessages[id];
    if (message !== undefined) announce(message);
    // In place of the view stands, for another server, that it belongs to the local one.
    return message === undefined && !(remote && viewOf(view)?.local);
  });
  const [registry] = useState(() =>
    createCommandRegistry({
      fallback: (id, runNext) => {
        const view = commands.find((command) => command.id === id)?.view;
        if (view === undefined) return text.commands.noRecord;
        return () => openViewFor(id, view) && runNext(id);
      },
      reject: announce,
    }),
  );
  useCommandKeys(registry.run);
  return registry;
}

/** Open dialogs, except the palette: commands of the palette itself go on there. */
const dialogSelector = '[aria-modal=true]:not([data-launcher])';
const paletteCommands: readonly CommandId[] = ['app.palette', 'record.quickOpen'];

function useCommandKeys(run: (id: CommandId) => void): void {
  const onCommand = useEffectEvent((id: CommandId) => {
    // A dialog decides first: behind it nothing moves.
    const modalSelector = paletteCommands.includes(id) ? dialogSelector : '[aria-modal=true]';
    if (document.querySelector(modalSelector) === null) run(id);
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
}
