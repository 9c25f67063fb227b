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
import { findView } from './views.tsx';

/** Messages for commands that only open their view and do not run there. */
const viewMessages: Partial<Record<CommandId, string>> = {
  'quality.next': text.quality.noWalk,
  'quality.previous': text.quality.noWalk,
};

/** Creates the command registry. Commands come from the page, the keyboard and the native menu. */
export function useCommands(openView: (id: ViewId) => void): CommandRegistry {
  const announce = useAnnounce();
  const { remote } = useConnection();
  /** Opens the view that handles a command. Returns true if the command should run there. */
  const openViewFor = useStable((id: CommandId, view: ViewId): boolean => {
    openView(view);
    const message = viewMessages[id];
    if (message !== undefined) announce(message);
    // For a remote server, a note replaces a view of the local server.
    return message === undefined && !(remote && findView(view)?.local);
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

/** Open dialogs except the palette: it handles its own commands. */
const dialogSelector = '[aria-modal=true]:not([data-launcher])';
const paletteCommands: readonly CommandId[] = ['app.palette', 'record.quickOpen'];

function useCommandKeys(run: (id: CommandId) => void): void {
  const onCommand = useEffectEvent((id: CommandId) => {
    // An open dialog blocks commands.
    const modalSelector = paletteCommands.includes(id) ? dialogSelector : '[aria-modal=true]';
    if (document.querySelector(modalSelector) === null) run(id);
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const id = commandOf(event, isMac);
      if (id === undefined) return;
      // The browser, the editor and the native menu must not handle the key too.
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) onCommand(id);
    }
    // In the capture phase, before the editor handles the key.
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
