import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { isEnter } from '../ui/enter.ts';
import { text } from '../ui/text.ts';
import { matchEntries, type LauncherEntry } from './launcher-entries.ts';
import { LauncherOption } from './launcher-option.tsx';
import styles from './launcher.module.css';

interface LauncherProps {
  readonly label: string;
  readonly placeholder: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly entries: readonly LauncherEntry[];
  /** Entries that are offered whatever is typed, above the others. */
  readonly always: readonly LauncherEntry[];
  /** Said beneath the field. */
  readonly message: string;
  readonly onClose: () => void;
  /** Runs an entry; unless the list stays open, the focus is back where it was before. */
  readonly onRun: (entry: LauncherEntry) => void;
}

/** A field over a list: typing filters, arrows choose, Enter runs, Escape leaves everything as it was. */
export function Launcher(props: LauncherProps) {
  const { label, placeholder, query, onQuery, message, onClose, onRun } = props;
  // By its id: what is found meanwhile must not move it.
  const [chosen, setChosen] = useState<string>();
  const [before] = useState(() => document.activeElement);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = matchEntries(props.entries, query);
  const groups = [...matchEntries(props.always, ''), ...found];
  const entries = groups.flatMap((group) => group.entries);
  // What is called by its whole name is meant, whatever else is found.
  const typed = query.trim().toLowerCase();
  const named = found.flatMap((group) => group.entries).find(({ label }) => label.toLowerCase() === typed);
  const current = entries.find((entry) => entry.id === chosen) ?? named ?? entries[0];

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);

  function giveFocusBack() {
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  }
  function run(entry: LauncherEntry) {
    if (!entry.stays) giveFocusBack();
    onRun(entry);
  }
  function onKeyDown(event: KeyboardEvent) {
    const at = current ? entries.indexOf(current) : 0;
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      const wraps = event.key.startsWith('Arrow');
      const last = entries.length - 1;
      const next = wraps ? (target + entries.length) % entries.length : Math.max(0, Math.min(target, last));
      setChosen(entries[next]?.id);
    } else if (isEnter(event)) {
      event.preventDefault();
      if (current) run(current);
    }
  }

  return (
    <Modal.Root
      opened
      onClose={() => {
        giveFocusBack();
        onClose();
      }}
      size={600}
      yOffset="12vh"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay opacity={0.35} />
      <Modal.Content aria-label={label} data-launcher="">
        <div className={styles.field}>
          <IconSearch size={16} aria-hidden />
          <input
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={current && optionId(id, current)}
            aria-autocomplete="list"
            placeholder={placeholder}
            value={query}
            autoComplete="off"
            spellCheck={false}
            // At once: what is typed next must not reach the record behind.
            autoFocus
            data-autofocus
            onChange={({ currentTarget: { value } }) => {
              onQuery(value);
              setChosen(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
          {groups.map(({ name, entries: inGroup }) => (
            <div key={name} role="group" aria-label={name}>
              <div className={styles.group} aria-hidden>
                {name}
              </div>
              {inGroup.map((entry) => (
                <LauncherOption
                  key={entry.id}
                  id={optionId(id, entry)}
                  entry={entry}
                  selected={entry === current}
                  onRun={() => run(entry)}
                />
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={styles.message}>
          {message || (entries.length === 0 ? text.launcher.nothing : '')}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

/** An id of the document may hold no white space. */
function optionId(list: string, { id }: LauncherEntry): string {
  return `${list}-${encodeURIComponent(id)}`;
}
