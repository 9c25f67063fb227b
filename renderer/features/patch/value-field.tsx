import { NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { text } from '../../ui/text.ts';
import type { RowView } from './patch-rows.ts';
import styles from './patch.module.css';

interface ValueFieldProps {
  readonly label: string;
  readonly view: RowView;
  /** JSON text, or plain text in a free field. */
  readonly value: string;
  readonly describedBy: string;
  readonly onChange: (value: string) => void;
}

/** The new value in the control that its element's type calls for; each but the free field writes JSON text. */
export function ValueField({ label, view, value, describedBy, onChange }: ValueFieldProps) {
  const { control, element, problem } = view;
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== undefined,
    'data-value-field': true,
    error: problem !== undefined && view.parsed.kind !== 'empty',
  };
  const asString = (written: string) => onChange(written === '' ? '' : JSON.stringify(written));
  switch (control) {
    case 'codes': {
      const codes = element?.codes ?? [];
      const code = stringOf(view);
      const foreign = code !== '' && !codes.includes(code);
      return (
        <NativeSelect
          {...common}
          value={code}
          onChange={({ currentTarget }) => asString(currentTarget.value)}
          data={[
            { value: '', label: text.patch.chooseCode },
            ...(foreign ? [{ value: code, label: text.patch.notAllowed(code) }] : []),
            ...codes.map((one) => ({ value: one, label: one })),
          ]}
        />
      );
    }
    case 'boolean':
      return (
        <SegmentedControl
          aria-label={label}
          size="xs"
          value={value.trim()}
          onChange={onChange}
          data={['true', 'false']}
        />
      );
    case 'date':
      return (
        <TextInput
          {...common}
          classNames={{ input: 'mono' }}
          placeholder={text.patch.dateHints[dateTypeOf(element?.type)]}
          spellCheck={false}
          autoComplete="off"
          value={stringOf(view)}
          onChange={({ currentTarget }) => asString(currentTarget.value)}
        />
      );
    case 'number':
      return (
        <TextInput
          {...common}
          classNames={{ input: 'mono' }}
          placeholder={text.patch.numberHint}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'text':
      return (
        <Textarea
          {...common}
          classNames={{ input: styles.value ?? '' }}
          autosize
          minRows={1}
          maxRows={8}
          value={stringOf(view)}
          onChange={({ currentTarget }) => asString(currentTarget.value)}
        />
      );
    case 'json':
    case 'free':
      return (
        <Textarea
          {...common}
          placeholder={control === 'json' ? text.patch.jsonHint : text.patch.valueHint}
          classNames={{ input: `mono ${styles.value}` }}
          autosize
          minRows={control === 'json' ? 3 : 1}
          maxRows={12}
          spellCheck={false}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

function stringOf({ parsed }: RowView): string {
  return parsed.kind === 'json' && parsed.node.kind === 'string' ? parsed.node.value : '';
}

function dateTypeOf(type: string | undefined): 'date' | 'dateTime' | 'instant' {
  return type === 'date' || type === 'instant' ? type : 'dateTime';
}
