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
  /** What is wrong with it. */
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field for FHIRPath that offers elements and functions as they are typed; Ctrl+Space offers them too. */
export function ExpressionField(props: ExpressionFieldProps) {
  const { label, hint, value, required = false, error, onChange } = props;
  const listId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { suggestions, chosen, offer, take, hide, onListKey } = useOffers(field, props);
  return (
    <Suggestions
      id={listId}
      label={text.checks.suggestions}
      suggestions={suggestions.map(({ label: written, detail: note }) => ({ label: written, note }))}
      chosen={chosen}
      onTake={take}
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
        {...listAria(listId, suggestions.length, chosen)}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          const at = currentTarget.selectionStart;
          if (/[\w.]$/.test(currentTarget.value.slice(0, at))) offer(at);
          else hide();
        }}
        onBlur={hide}
        onKeyDown={(event) => {
          if (event.key === ' ' && event.ctrlKey) {
            event.preventDefault();
            offer(event.currentTarget.selectionStart);
          } else if (suggestions.length > 0) onListKey(event);
        }}
      />
    </Suggestions>
  );
}

/** What can be written at the cursor, once it is offered there. */
function useOffers(
  field: RefObject<HTMLTextAreaElement | null>,
  { value, type, onChange }: Pick<ExpressionFieldProps, 'value' | 'type' | 'onChange'>,
) {
  const [cursor, setCursor] = useState<number>();
  const [chosen, setChosen] = useState(0);
  const found = cursor === undefined ? [] : suggestPath(value, cursor, type);
  // What is written in full is no question any more.
  const suggestions = found.filter(({ insert, start, end }) => value.slice(start, end) !== insert);
  const hide = () => setCursor(undefined);
  const take = useStable((index: number) => {
    const one = suggestions[index];
    if (!one) return;
    onChange(value.slice(0, one.start) + one.insert + value.slice(one.end));
    hide();
    const at = one.start + one.insert.length;
    // Behind React's own writing of the value, which moves the cursor to the end.
    requestAnimationFrame(() => field.current?.setSelectionRange(at, at));
  });
  const onListKey = listKeys({
    count: suggestions.length,
    chosen,
    onStep: (step) => setChosen((at) => stepIn(suggestions.length, at, step)),
    onTake: take,
    onHide: hide,
  });
  const offer = (at: number) => {
    setCursor(at);
    setChosen(0);
  };
  return { suggestions, chosen, offer, take, hide, onListKey };
}
