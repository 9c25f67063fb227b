import { Popover } from '@mantine/core';
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react';
import styles from './suggestions.module.css';

interface ListedSuggestion {
  readonly label: string;
  /** Description after the label. */
  readonly note: string;
}

interface SuggestionsProps {
  readonly id: string;
  readonly label: string;
  readonly suggestions: readonly ListedSuggestion[];
  /** Index of the suggestion that Enter inserts; -1 for none. */
  readonly selectedIndex: number;
  readonly onTake: (index: number) => void;
  readonly children: ReactElement;
}

/** Input field with a list of suggestions below it. */
export function Suggestions({ id, label, suggestions, selectedIndex, onTake, children }: SuggestionsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[selectedIndex]?.scrollIntoView({ block: 'nearest' });
  }, [selectedIndex]);
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
          {suggestions.map(({ label: suggestionText, note }, index) => (
            <li
              key={suggestionText}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === selectedIndex}
              // Before the field loses the focus, which would hide the list under the pointer.
              onMouseDown={(event) => {
                event.preventDefault();
                onTake(index);
              }}
            >
              <span>{suggestionText}</span>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Returns the ARIA attributes of a multi-line field with a list. Escape hides the list. */
export function listAria(id: string, count: number, selectedIndex: number) {
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': count > 0 ? id : undefined,
    'aria-activedescendant': count > 0 && selectedIndex >= 0 ? `${id}-${selectedIndex}` : undefined,
    // Escape hides only the list. The sheet would receive the key before the field.
    'data-mantine-stop-propagation': count > 0,
  } as const;
}

/** Returns the ARIA attributes of a single-line field with a list, a combobox. */
export function comboboxAria(id: string, count: number, selectedIndex: number) {
  return { ...listAria(id, count, selectedIndex), role: 'combobox', 'aria-expanded': count > 0 } as const;
}

/** Returns the index after a step within the list. */
export function stepIn(count: number, index: number, step: 1 | -1): number {
  return Math.max(0, Math.min(count - 1, index + step));
}

interface ListKeys {
  readonly count: number;
  readonly selectedIndex: number;
  /** Moves the selection and opens the list. */
  readonly onStep: (step: 1 | -1) => void;
  readonly onTake: (index: number) => void;
  readonly onHide: () => void;
}

/** Returns the key handler of a list: arrows select, Enter inserts, Escape hides. */
export function listKeys({ count, selectedIndex, onStep, onTake, onHide }: ListKeys) {
  return (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        onStep(event.key === 'ArrowDown' ? 1 : -1);
        return;
      case 'Enter':
        if (count === 0 || selectedIndex < 0) return;
        event.preventDefault();
        onTake(selectedIndex);
        return;
      case 'Escape':
        if (count === 0) return;
        onHide();
    }
  };
}
