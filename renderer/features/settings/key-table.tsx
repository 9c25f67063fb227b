import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { commands, type Command } from '../../../core/app/commands.ts';
import { desktop, isMac } from '../../platform/desktop.ts';
import { usePreference } from '../../platform/preferences.ts';
import { KeyCaps } from '../../ui/key-caps.tsx';
import {
  userKeys,
  isAssigningKeys,
  keyCaps,
  keysPressed,
  ownerOf,
  formatCommandKeys,
} from '../../ui/keys.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useStore } from '../../ui/store.ts';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import styles from './settings.module.css';

const messages = text.settings;

/** All commands with their keys, which can be changed. */
export function KeyTable() {
  const [storedKeys, setStoredKeys] = usePreference('keys');
  const [editedCommand, setEditedCommand] = useState<Command>();
  useStore(userKeys);
  const change = (next: Keys) => {
    userKeys.set(next);
    setStoredKeys(next);
  };
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{messages.command}</th>
          <th scope="col">{messages.keysOf}</th>
          <td className={table.end}>
            {Object.keys(storedKeys).length > 0 && (
              <Button size="compact-xs" onClick={() => change({})}>
                {messages.resetAll}
              </Button>
            )}
          </td>
        </tr>
      </thead>
      <tbody>
        {commands.map((command) => (
          <tr key={command.id}>
            <th scope="row">{command.label}</th>
            <td>
              {editedCommand === command ? (
                <KeyCatcher
                  command={command}
                  onKeys={(keys) => {
                    setEditedCommand(undefined);
                    if (keys !== undefined)
                      change({ ...withoutKeys(storedKeys, command), [command.id]: keys });
                  }}
                />
              ) : (
                <KeyButton command={command} onSelect={() => setEditedCommand(command)} />
              )}
            </td>
            <td className={table.end}>
              {storedKeys[command.id] !== undefined && (
                <Button
                  size="compact-xs"
                  aria-label={messages.resetOf(command.label)}
                  onClick={() => change(withoutKeys(storedKeys, command))}
                >
                  {messages.reset}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Keys = Readonly<Record<string, string>>;

function withoutKeys(storedKeys: Keys, { id }: Command): Keys {
  return Object.fromEntries(Object.entries(storedKeys).filter(([name]) => name !== id));
}

function KeyButton({ command, onSelect }: { readonly command: Command; readonly onSelect: () => void }) {
  const keys = formatCommandKeys(command, desktop === undefined);
  const visibleKeys = keys === undefined ? messages.none : keyCaps(keys, isMac).join(' ');
  return (
    <button
      type="button"
      className={styles.keys}
      aria-label={messages.change(visibleKeys, command.label)}
      onClick={onSelect}
    >
      {keys === undefined ? (
        <span className={styles.none}>{messages.none}</span>
      ) : (
        <KeyCaps keys={keys} mac={isMac} />
      )}
    </button>
  );
}

interface KeyCatcherProps {
  readonly command: Command;
  /** Undefined keeps the keys; empty removes them. */
  readonly onKeys: (keys: string | undefined) => void;
}

/** Captures the next keys, regardless of the focus. */
function KeyCatcher({ command, onKeys }: KeyCatcherProps) {
  const [fault, setFault] = useState('');
  const announce = useAnnounce();
  const handleKey = useStable((event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && ['Escape', 'Tab'].includes(event.key)) onKeys(undefined);
    else if (isPlain && ['Backspace', 'Delete'].includes(event.key)) onKeys('');
    else {
      const keys = keysPressed(event, isMac);
      const otherCommand = ownerOf(keys, command.id);
      if (keys === 'plain') setFault(messages.plain);
      else if (otherCommand) setFault(messages.taken(keyCaps(keys, isMac).join('+'), otherCommand.label));
      else if (keys !== 'none') {
        announce(messages.changed(command.label, keyCaps(keys, isMac).join('+')));
        onKeys(keys);
      }
    }
  });
  useEffect(() => {
    isAssigningKeys.set(true);
    window.addEventListener('keydown', handleKey, true);
    return () => {
      isAssigningKeys.set(false);
      window.removeEventListener('keydown', handleKey, true);
    };
  }, [handleKey]);
  return (
    <span className={styles.catcher} role="status">
      <strong>{messages.press}</strong> <span>{fault === '' ? messages.cancel : fault}</span>
    </span>
  );
}
