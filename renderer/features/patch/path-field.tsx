import { Popover, TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { expressionAt, pointerOfPath } from '../../../core/fhir/expression.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { text } from '../../ui/text.ts';
import { suggestPaths } from './patch-paths.ts';
import styles from './patch.module.css';

interface PathFieldProps {
  readonly label: string;
  readonly value: string;
  readonly type: ResourceType;
  readonly paths: readonly string[];
  readonly autoFocus: boolean;
  readonly onChange: (path: string) => void;
}

/**
 * A text field for the path of an element, in any notation, that offers the open record's own paths; arrows choose,
 * Enter takes, Escape hides. Once it is left it shows the JSON Pointer that is sent.
 */
export function PathField({ label, value, type, paths, autoFocus, onChange }: PathFieldProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  // What is being written, in the notation of whoever writes it; the path itself is a JSON Pointer throughout.
  const [written, setWritten] = useState<string>();
  const typed = written ?? value;
  const suggestions = open ? suggestPaths(paths, typed, type) : [];

  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  function take(path: string) {
    onChange(path);
    setWritten(undefined);
    setOpen(false);
    setChosen(-1);
  }

  function onKeyDown(event: KeyboardEvent) {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        setOpen(true);
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setChosen((at) => Math.max(0, Math.min(suggestPaths(paths, typed, type).length - 1, at + step)));
        return;
      }
      case 'Enter': {
        const path = suggestions[chosen];
        if (path === undefined) return;
        event.preventDefault();
        take(path);
        return;
      }
      case 'Escape':
        if (!open) return;
        event.stopPropagation();
        setOpen(false);
    }
  }

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
      <Popover.Target>
        <TextInput
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={suggestions.length > 0 ? listId : undefined}
          aria-activedescendant={chosen >= 0 && open ? `${listId}-${chosen}` : undefined}
          placeholder={text.patch.pathHint}
          classNames={{ input: 'mono' }}
          data-autofocus={autoFocus || undefined}
          spellCheck={false}
          autoComplete="off"
          role="combobox"
          aria-expanded={suggestions.length > 0}
          value={typed}
          onChange={({ currentTarget }) => {
            const path = pointerOfPath(currentTarget.value, type);
            onChange(path);
            setWritten(currentTarget.value);
            // A whole path is no question any more: the list would cover the row beneath.
            setOpen(!paths.includes(path));
            setChosen(-1);
          }}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            setWritten(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <ul
          ref={list}
          id={listId}
          role="listbox"
          aria-label={text.patch.suggestions}
          className={styles.suggestions}
        >
          {suggestions.map((path, index) => (
            <li
              key={path}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === chosen}
              // Before the field's blur, which would hide the list under the pointer.
              onMouseDown={(event) => {
                event.preventDefault();
                take(path);
              }}
            >
              <span>{path}</span>
              <span>{expressionAt(type, parsePointer(path) ?? [])}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
