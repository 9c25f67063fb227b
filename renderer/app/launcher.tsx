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
  const [restoreFocus] = useState(rememberFocus);
  const id = useId();
  const { groups, current, choose: select, step } = useSelection(props);
  const run = (entry: LauncherEntry) => {
    if (!entry.stays) restoreFocus();
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
            // At once: what is typed next must not reach the record behind.
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

/** Returns the sentence for an empty list. */
function formatNoMatches(query: string): string {
  const trimmedQuery = query.trim();
  return trimmedQuery === '' ? text.launcher.noRecords : text.launcher.nothing(trimmedQuery);
}

/** What is found, and which of it is chosen: by its id, as what is found meanwhile must not move it. */
function useSelection({ entries, always: pinnedEntries, query }: Pick<LauncherProps, 'entries' | 'always' | 'query'>) {
  const [selectedId, select] = useState<string>();
  const matches = matchEntries(entries, query);
  const groups = [...matchEntries(pinnedEntries, ''), ...matches];
  const options = groups.flatMap((group) => group.entries);
  // What is called by its whole name is meant, whatever else is found.
  const typedName = query.trim().toLowerCase();
  const exactMatch = matches.flatMap((group) => group.entries).find(({ label }) => label.toLowerCase() === typedName);
  const current = options.find((entry) => entry.id === selectedId) ?? exactMatch ?? options[0];
  /** Chooses another one by a key; false where the key chooses none. */
  function step(key: string): boolean {
    const currentIndex = current ? options.indexOf(current) : 0;
    const targetIndex = { ArrowDown: currentIndex + 1, ArrowUp: currentIndex - 1, PageDown: currentIndex + 8, PageUp: currentIndex - 8 }[key];
    if (targetIndex === undefined) return false;
    const wraps = key.startsWith('Arrow');
    const nextIndex = wraps ? (targetIndex + options.length) % options.length : Math.max(0, Math.min(targetIndex, options.length - 1));
    select(options[nextIndex]?.id);
    return true;
  }
  return { groups, current, choose: select, step };
}

interface OptionListProps extends Pick<LauncherProps, 'label' | 'onRun'> {
  /** What the ids in it begin with. */
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

/** One line of the palette: what it is, what it belongs to, and its keys; or why it cannot be chosen now. */
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

/** An id of the document may hold no white space. */
function optionId(list: string, { id }: LauncherEntry): string {
  return `${list}-${encodeURIComponent(id)}`;
}
