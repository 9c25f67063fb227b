import { Textarea } from '@mantine/core';
import { useId, useRef, useState, type RefObject } from 'react';
import { checkLimits } from '../../../core/app/checks.ts';
import { suggestPath } from '../../../core/fhir/suggest-path.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { listAria, listKeys, stepIn, Suggestions } from '../../ui/suggestions.tsx';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';

interface ExpressionFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly type: ResourceType;
  readonly required?: boolean;
  /** Problem of the expression. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Field for FHIRPath that suggests elements and functions while typing or on Ctrl+Space. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { label, hint, value, required = false, error, onChange } = props;
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { suggestions, selectedIndex, suggestAt, accept, hide, onListKey } = useSuggestions(field, props);
  return (
    <Suggestions
      id={listId}
      label={text.checks.suggestions}
      suggestions={suggestions.map(({ label: suggestionLabel, detail: note }) => ({
        label: suggestionLabel,
        note,
      }))}
      selectedIndex={selectedIndex}
      onTake={accept}
    >
      <Textarea
        ref={field}
        label={label}
        description={hint}
        required={required}
        error={error}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={checkLimits.expression}
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        {...listAria(listId, suggestions.length, selectedIndex)}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          const offset = currentTarget.selectionStart;
          if (/[\w.]$/.test(currentTarget.value.slice(0, offset))) suggestAt(offset);
          else hide();
        }}
        onBlur={hide}
        onKeyDown={(event) => {
          if (event.key === ' ' && event.ctrlKey) {
            event.preventDefault();
            suggestAt(event.currentTarget.selectionStart);
          } else if (suggestions.length > 0) onListKey(event);
        }}
      />
    </Suggestions>
  );
}

/** Returns the suggestions at the cursor once they are requested. */
function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, type, onChange }: Pick<ExpressionFieldProps, 'value' | 'type' | 'onChange'>,
) {
  const [cursor, setCursor] = useState<number>();
  const [selectedIndex, setSelectedIndex] = useState(0);
  const matches = cursor === undefined ? [] : suggestPath(value, cursor, type);
  // A complete expression needs no suggestion.
  const suggestions = matches.filter(({ insert, start, end }) => value.slice(start, end) !== insert);
  const hide = () => setCursor(undefined);
  const accept = useStable((index: number) => {
    const suggestion = suggestions[index];
    if (!suggestion) return;
    onChange(value.slice(0, suggestion.start) + suggestion.insert + value.slice(suggestion.end));
    hide();
    const offset = suggestion.start + suggestion.insert.length;
    // After React sets the value, which moves the cursor to the end.
    requestAnimationFrame(() => field.current?.setSelectionRange(offset, offset));
  });
  const onListKey = listKeys({
    count: suggestions.length,
    selectedIndex,
    onStep: (step) => setSelectedIndex((current) => stepIn(suggestions.length, current, step)),
    onTake: accept,
    onHide: hide,
  });
  const suggestAt = (offset: number) => {
    setCursor(offset);
    setSelectedIndex(0);
  };
  return { suggestions, selectedIndex, suggestAt, accept, hide, onListKey };
}
