import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { expressionAt, pointerOfPath } from '../../../core/fhir/validation/finding.ts';
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

/** State of the field: the typed text in the notation of the user, and the suggestion list. */
interface FieldState {
  readonly open: boolean;
  readonly selectedIndex: number;
  readonly typedText?: string | undefined;
}

const initialState: FieldState = { open: false, selectedIndex: -1 };

/**
 * Text field for the path of an element in any notation. Suggests paths of the open record: arrow keys select, Enter
 * accepts, Escape hides. Shows the JSON Pointer of the request after it loses focus.
 */
export function PathField({ label, value, type, paths, autoFocus, onChange }: PathFieldProps) {
  const listId = useId();
  // The value is always a JSON Pointer.
  const [{ open, selectedIndex, typedText }, setState] = useState(initialState);
  const change = (part: Partial<FieldState>) => setState((previous) => ({ ...previous, ...part }));
  const input = typedText ?? value;
  const suggestions = open ? suggestPaths(paths, input, type) : [];

  function acceptSuggestion(index: number) {
    const path = suggestions[index];
    if (path === undefined) return;
    onChange(path);
    setState(initialState);
  }

  function step(delta: 1 | -1) {
    const { length } = suggestPaths(paths, input, type);
    setState((previous) => ({
      ...previous,
      open: true,
      selectedIndex: stepIn(length, previous.selectedIndex, delta),
    }));
  }

  return (
    <Suggestions
      id={listId}
      label={text.patch.suggestions}
      suggestions={suggestions.map((path) => ({
        label: path,
        note: expressionAt(type, parsePointer(path) ?? []),
      }))}
      selectedIndex={selectedIndex}
      onTake={acceptSuggestion}
    >
      <TextInput
        aria-label={label}
        {...comboboxAria(listId, suggestions.length, selectedIndex)}
        placeholder={text.patch.pathHint}
        classNames={{ input: 'mono' }}
        data-autofocus={autoFocus || undefined}
        spellCheck={false}
        autoComplete="off"
        value={input}
        onChange={({ currentTarget }) => {
          const path = pointerOfPath(currentTarget.value, type);
          onChange(path);
          // A complete path needs no suggestions: the list would cover the next row.
          setState({ open: !paths.includes(path), selectedIndex: -1, typedText: currentTarget.value });
        }}
        onClick={() => change({ open: true })}
        onBlur={() => change({ open: false, typedText: undefined })}
        onKeyDown={listKeys({
          count: suggestions.length,
          selectedIndex,
          onStep: step,
          onTake: acceptSuggestion,
          onHide: () => change({ open: false }),
        })}
      />
    </Suggestions>
  );
}
