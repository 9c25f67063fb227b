import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { commands, type Command } from '../../../core/app/commands.ts';
import { desktop, isMac } from '../../platform/desktop.ts';
import { usePreference } from '../../platform/preferences.ts';
import { KeyCaps } from '../../ui/key-caps.tsx';
import { chosenKeys, choosing, keyCaps, keysPressed, ownerOf, shownKeys } from '../../ui/keys.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useStore } from '../../ui/store.ts';
import table from '../../ui/table.module.css';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import styles from './settings.module.css';

const words = text.settings;

/** Every command with its keys, which can be changed. */
export function KeyTable() {
  const [kept, setKept] = usePreference('keys');
  const [chosen, setChosen] = useState<Command>();
  useStore(chosenKeys);
  const change = (next: Keys) => {
    chosenKeys.set(next);
    setKept(next);
  };
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{words.command}</th>
          <th scope="col">{words.keysOf}</th>
          <td className={table.end}>
            {Object.keys(kept).length > 0 && (
              <Button size="compact-xs" onClick={() => change({})}>
                {words.resetAll}
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
              {chosen === command ? (
                <KeyCatcher
                  command={command}
                  onKeys={(keys) => {
                    setChosen(undefined);
                    if (keys !== undefined) change({ ...without(kept, command), [command.id]: keys });
                  }}
                />
              ) : (
                <KeyButton command={command} onChoose={() => setChosen(command)} />
              )}
            </td>
            <td className={table.end}>
              {kept[command.id] !== undefined && (
                <Button
                  size="compact-xs"
                  aria-label={words.resetOf(command.label)}
                  onClick={() => change(without(kept, command))}
                >
                  {words.reset}
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

function without(kept: Keys, { id }: Command): Keys {
  return Object.fromEntries(Object.entries(kept).filter(([name]) => name !== id));
}

function KeyButton({ command, onChoose }: { readonly command: Command; readonly onChoose: () => void }) {
  const keys = shownKeys(command, desktop === undefined);
  return (
    <button type="button" className={styles.keys} aria-label={words.change(command.label)} onClick={onChoose}>
      {keys === undefined ? (
        <span className={styles.none}>{words.none}</span>
      ) : (
        <KeyCaps keys={keys} mac={isMac} />
      )}
    </button>
  );
}

interface KeyCatcherProps {
  readonly command: Command;
  /** Undefined where the keys stay as they are, empty where there are none. */
  readonly onKeys: (keys: string | undefined) => void;
}

/** Takes the next keys, wherever the focus is. */
function KeyCatcher({ command, onKeys }: KeyCatcherProps) {
  const [fault, setFault] = useState('');
  const announce = useAnnounce();
  const take = useStable((event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (plain && ['Escape', 'Tab'].includes(event.key)) onKeys(undefined);
    else if (plain && ['Backspace', 'Delete'].includes(event.key)) onKeys('');
    else {
      const keys = keysPressed(event, isMac);
      const other = ownerOf(keys, command.id);
      if (keys === 'plain') setFault(words.plain);
      else if (other) setFault(words.taken(keyCaps(keys, isMac).join('+'), other.label));
      else if (keys !== 'none') {
        announce(words.changed(command.label, keyCaps(keys, isMac).join('+')));
        onKeys(keys);
      }
    }
  });
  useEffect(() => {
    choosing.set(true);
    window.addEventListener('keydown', take, true);
    return () => {
      choosing.set(false);
      window.removeEventListener('keydown', take, true);
    };
  }, [take]);
  return (
    <span className={styles.catcher} role="status">
      <strong>{words.press}</strong> <span>{fault === '' ? words.cancel : fault}</span>
    </span>
  );
}
