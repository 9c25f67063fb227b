import { Popover } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import styles from './suggestions.module.css';

interface ListedSuggestion {
  readonly label: string;
  /** What it is, behind it. */
  readonly note: string;
}

interface SuggestionsProps {
  readonly id: string;
  readonly label: string;
  readonly suggestions: readonly ListedSuggestion[];
  /** Index of the one that Enter takes; -1 for none. */
  readonly chosen: number;
  readonly onTake: (index: number) => void;
  /** The field. */
  readonly children: ReactElement;
}

/** What can be written in a field, in a list beneath it. */
export function Suggestions({ id, label, suggestions, chosen, onTake, children }: SuggestionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <Popover
      opened={suggestions.length > 0}
      position="bottom-start"
      offset={2}
      trapFocus={false}
      withRoles={false}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: styles.dropdown ?? '' }}
    >
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <ul ref={list} id={id} role="listbox" aria-label={label} className={styles.suggestions}>
          {suggestions.map(({ label: written, note }, index) => (
            <li
              key={written}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // Before the field's blur, which would hide the list under the pointer.
              onMouseDown={(event) => {
                event.preventDefault();
                onTake(index);
              }}
            >
              <span>{written}</span>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

/** What a field of several lines tells of its list, and of the Escape that hides it. */
export function listAria(id: string, count: number, chosen: number) {
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': count > 0 ? id : undefined,
    'aria-activedescendant': count > 0 && chosen >= 0 ? `${id}-${chosen}` : undefined,
    // Escape hides the list alone: a sheet hears of it before the field does.
    'data-mantine-stop-propagation': count > 0,
  } as const;
}

/** The same of a field of one line, which is a combobox. */
export function comboboxAria(id: string, count: number, chosen: number) {
  return { ...listAria(id, count, chosen), role: 'combobox', 'aria-expanded': count > 0 } as const;
}

/** The index by a step from another, in a list of so many. */
export function stepIn(count: number, at: number, step: 1 | -1): number {
  return Math.max(0, Math.min(count - 1, at + step));
}

interface ListKeys {
  readonly count: number;
  readonly chosen: number;
  /** Chooses by a step, and opens the list. */
  readonly onStep: (step: 1 | -1) => void;
  readonly onTake: (index: number) => void;
  readonly onHide: () => void;
}

/** Arrows choose, Enter takes, Escape hides. */
export function listKeys({ count, chosen, onStep, onTake, onHide }: ListKeys) {
  return (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        onStep(event.key === 'ArrowDown' ? 1 : -1);
        return;
      case 'Enter':
        if (count === 0 || chosen < 0) return;
        event.preventDefault();
        onTake(chosen);
        return;
      case 'Escape':
        if (count === 0) return;
        onHide();
    }
  };
}
