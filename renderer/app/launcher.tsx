import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { isMac } from '../platform/desktop.ts';
import { isEnter } from '../ui/enter.ts';
import { rememberFocus } from '../ui/focus.ts';
import { KeyCaps } from '../ui/key-caps.tsx';
import { text } from '../ui/text.ts';
import { matchEntries, type LauncherEntry, type LauncherGroup } from './launcher-entries.ts';
import styles from './launcher.module.css';

interface LauncherProps {
  readonly label: string;
  readonly placeholder: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly entries: readonly LauncherEntry[];
  /** Entries above the list, independent of the query. */
  readonly pinnedEntries: readonly LauncherEntry[];
  /** Status text; replaces the default text of an empty list. */
  readonly message: string;
  readonly onClose: () => void;
  /** Runs an entry. The focus is restored before, unless the list stays open. */
  readonly onRun: (entry: LauncherEntry) => void;
}

/** Field with a list: typing filters, arrows select, Enter runs, Escape closes. */
export function Launcher(props: LauncherProps) {
  const { label, placeholder, query, onQuery, message, onClose, onRun } = props;
  const [restoreFocus] = useState(rememberFocus);
  const id = useId();
  const { groups, current, select, step } = useSelection(props);
  const run = (entry: LauncherEntry) => {
    if (!entry.keepsOpen) restoreFocus();
    onRun(entry);
  };
  const close = () => {
    restoreFocus();
    onClose();
  };
  return (
    <Modal.Root
      opened
      onClose={close}
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
            // Immediately: the next key must not reach the record under the dialog.
            autoFocus
            data-autofocus
            onChange={({ currentTarget: { value } }) => {
              onQuery(value);
              select(undefined);
            }}
            onKeyDown={(event) => {
              const enters = isEnter(event);
              if (!step(event.key) && !enters) return;
              event.preventDefault();
              if (enters && current) run(current);
            }}
          />
        </div>
        <OptionList id={id} label={label} groups={groups} current={current} onRun={run} />
        <p role="status" className={styles.message}>
          {message || (current ? '' : formatNoMatches(query))}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Returns the message for an empty list. */
function formatNoMatches(query: string): string {
  const trimmedQuery = query.trim();
  return trimmedQuery === '' ? text.launcher.noRecords : text.launcher.nothing(trimmedQuery);
}

/** Matches and selection. The selection is an id, so that late matches do not move it. */
function useSelection({
  entries,
  pinnedEntries,
  query,
}: Pick<LauncherProps, 'entries' | 'pinnedEntries' | 'query'>) {
  const [selectedId, select] = useState<string>();
  const matches = matchEntries(entries, query);
  const groups = [...matchEntries(pinnedEntries, ''), ...matches];
  const options = groups.flatMap((group) => group.entries);
  // An entry whose full name was typed is selected first.
  const typedName = query.trim().toLowerCase();
  const exactMatch = matches
    .flatMap((group) => group.entries)
    .find(({ label }) => label.toLowerCase() === typedName);
  const current = options.find((entry) => entry.id === selectedId) ?? exactMatch ?? options[0];
  /** Moves the selection by a key. Returns false for other keys. */
  function step(key: string): boolean {
    const currentIndex = current ? options.indexOf(current) : 0;
    const targetIndex = {
      ArrowDown: currentIndex + 1,
      ArrowUp: currentIndex - 1,
      PageDown: currentIndex + 8,
      PageUp: currentIndex - 8,
    }[key];
    if (targetIndex === undefined) return false;
    const wraps = key.startsWith('Arrow');
    const nextIndex = wraps
      ? (targetIndex + options.length) % options.length
      : Math.max(0, Math.min(targetIndex, options.length - 1));
    select(options[nextIndex]?.id);
    return true;
  }
  return { groups, current, select, step };
}

interface OptionListProps extends Pick<LauncherProps, 'label' | 'onRun'> {
  /** Prefix of the element ids. */
  readonly id: string;
  readonly groups: readonly LauncherGroup[];
  readonly current: LauncherEntry | undefined;
}

function OptionList({ id, label, groups, current, onRun }: OptionListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
      {groups.map(({ name, entries }) => (
        <div key={name} role="group" aria-label={name}>
          <div className={styles.group} aria-hidden>
            {name}
          </div>
          {entries.map((entry) => (
            <Option
              key={entry.id}
              id={optionId(id, entry)}
              entry={entry}
              selected={entry === current}
              onRun={() => onRun(entry)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: LauncherEntry;
  readonly selected: boolean;
  readonly onRun: () => void;
}

/** One line of the palette: label, detail and keys, or the reason why it is disabled. */
function Option({ id, entry, selected, onRun }: OptionProps) {
  const { label, keys, icon: Icon, refusal } = entry;
  const detail = refusal ?? entry.detail;
  return (
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-disabled={refusal !== undefined}
      className={styles.option}
      title={[label, detail].filter(Boolean).join(' · ')}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      {Icon && <Icon size={16} aria-hidden />}
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <small className={styles.detail}>{detail}</small>}
      {keys !== undefined && (
        <span className={styles.keys} aria-hidden>
          <KeyCaps keys={keys} mac={isMac} />
        </span>
      )}
    </div>
  );
}

/** Returns an element id: it must not contain white space. */
function optionId(list: string, { id }: LauncherEntry): string {
  return `${list}-${encodeURIComponent(id)}`;
}
