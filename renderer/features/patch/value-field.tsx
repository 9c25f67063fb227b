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

/** Change event of any form element. */
interface FieldChange {
  readonly currentTarget: { readonly value: string };
}

/** Field for the new value with the control of its element type. All controls except `free` produce JSON text. */
export function ValueField({ label, view, value, describedBy, onChange }: ValueFieldProps) {
  const { control, element, problem } = view;
  const common = {
    'aria-label': label,
    'aria-describedby': describedBy,
    'aria-invalid': problem !== undefined,
    'data-value-field': true,
    error: problem !== undefined && view.parsed.kind !== 'empty',
  };
  const asWritten = { value, onChange: ({ currentTarget }: FieldChange) => onChange(currentTarget.value) };
  const asString = {
    value: readString(view),
    onChange: ({ currentTarget: { value: input } }: FieldChange) =>
      onChange(input === '' ? '' : JSON.stringify(input)),
  };
  const line = { ...common, classNames: { input: 'mono' }, autoComplete: 'off' };
  const area = { ...common, autosize: true, minRows: 1 };
  switch (control) {
    case 'codes':
      return <NativeSelect {...common} {...asString} data={listCodes(view)} />;
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
    case 'date': {
      const hint = text.patch.dateHints[dateTypeOf(element?.type)];
      return <TextInput {...line} {...asString} placeholder={hint} spellCheck={false} />;
    }
    case 'number':
      return <TextInput {...line} {...asWritten} placeholder={text.patch.numberHint} inputMode="decimal" />;
    case 'text':
      return <Textarea {...area} {...asString} classNames={{ input: styles.value ?? '' }} maxRows={8} />;
    case 'json':
    case 'free':
      return (
        <Textarea
          {...area}
          {...asWritten}
          placeholder={control === 'json' ? text.patch.jsonHint : text.patch.valueHint}
          classNames={{ input: `mono ${styles.value}` }}
          minRows={control === 'json' ? 3 : 1}
          maxRows={12}
          spellCheck={false}
        />
      );
  }
}

/** Returns the codes of the element. A current value outside the list is included. */
function listCodes(view: RowView) {
  const codes = view.element?.codes ?? [];
  const code = readString(view);
  return [
    { value: '', label: text.patch.chooseCode },
    ...(code !== '' && !codes.includes(code) ? [{ value: code, label: text.patch.notAllowed(code) }] : []),
    ...codes.map((allowedCode) => ({ value: allowedCode, label: allowedCode })),
  ];
}

function readString({ parsed }: RowView): string {
  return parsed.kind === 'json' && parsed.node.kind === 'string' ? parsed.node.value : '';
}

function dateTypeOf(type: string | undefined): 'date' | 'dateTime' | 'instant' {
  return type === 'date' || type === 'instant' ? type : 'dateTime';
}
