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

/**
 * A text field for the path of an element, in any notation, that offers the open record's own paths; arrows choose,
 * Enter takes, Escape hides. Once it is left it shows the JSON Pointer that is sent.
 */
export function PathField({ label, value, type, paths, autoFocus, onChange }: PathFieldProps) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  // What is being written, in the notation of whoever writes it; the path itself is a JSON Pointer throughout.
  const [written, setWritten] = useState<string>();
  const typed = written ?? value;
  const suggestions = open ? suggestPaths(paths, typed, type) : [];

  function take(path: string) {
    onChange(path);
    setWritten(undefined);
    setOpen(false);
    setChosen(-1);
  }

  const step = (by: 1 | -1) => {
    setOpen(true);
    setChosen((at) => stepIn(suggestPaths(paths, typed, type).length, at, by));
  };

  const takeAt = (index: number) => {
    const path = suggestions[index];
    if (path !== undefined) take(path);
  };

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
        onKeyDown={listKeys({
          count: suggestions.length,
          chosen,
          onStep: step,
          onTake: takeAt,
          onHide: () => setOpen(false),
        })}
      />
    </Suggestions>
  );
}
