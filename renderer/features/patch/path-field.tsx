import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { expressionAt, pointerOfPath } from '../../../core/fhir/expression.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { parsePointer } from '../../../core/json/pointer.ts';
import { comboboxAria, listKeys, stepIn, Suggestions } from '../../ui/suggestions.tsx';
import { text } from '../../ui/text.ts';
import { suggestPaths } from './patch-paths.ts';

interface PathFieldProps {
  readonly label: string;
  readonly value: string;
  readonly type: ResourceType;
  readonly paths: readonly string[];
  readonly autoFocus: boolean;
  readonly onChange: (path: string) => void;
}

/** What is being written in a path's field, in the notation of whoever writes it, and how its list stands. */
interface Writing {
  readonly open: boolean;
  readonly chosen: number;
  readonly written?: string | undefined;
}

const resting: Writing = { open: false, chosen: -1 };

/**
 * A text field for the path of an element, in any notation, that offers the open record's own paths; arrows choose,
 * Enter takes, Escape hides. Once it is left it shows the JSON Pointer that is sent.
 */
export function PathField({ label, value, type, paths, autoFocus, onChange }: PathFieldProps) {
  const listId = useId();
  // The path itself is a JSON Pointer throughout.
  const [{ open, chosen, written }, setWriting] = useState(resting);
  const change = (part: Partial<Writing>) => setWriting((now) => ({ ...now, ...part }));
  const typed = written ?? value;
  const suggestions = open ? suggestPaths(paths, typed, type) : [];

  function takeAt(index: number) {
    const path = suggestions[index];
    if (path === undefined) return;
    onChange(path);
    setWriting(resting);
  }

  function step(by: 1 | -1) {
    const { length } = suggestPaths(paths, typed, type);
    setWriting((now) => ({ ...now, open: true, chosen: stepIn(length, now.chosen, by) }));
  }

  return (
    <Suggestions
      id={listId}
      label={text.patch.suggestions}
      suggestions={suggestions.map((path) => ({
        label: path,
        note: expressionAt(type, parsePointer(path) ?? []),
      }))}
      chosen={chosen}
      onTake={takeAt}
    >
      <TextInput
        aria-label={label}
        {...comboboxAria(listId, suggestions.length, chosen)}
        placeholder={text.patch.pathHint}
        classNames={{ input: 'mono' }}
        data-autofocus={autoFocus || undefined}
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => {
          const path = pointerOfPath(currentTarget.value, type);
          onChange(path);
          // A whole path is no question any more: the list would cover the row beneath.
          setWriting({ open: !paths.includes(path), chosen: -1, written: currentTarget.value });
        }}
        onClick={() => change({ open: true })}
        onBlur={() => change({ open: false, written: undefined })}
        onKeyDown={listKeys({
          count: suggestions.length,
          chosen,
          onStep: step,
          onTake: takeAt,
          onHide: () => change({ open: false }),
        })}
      />
    </Suggestions>
  );
}
