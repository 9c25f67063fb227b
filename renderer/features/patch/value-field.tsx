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

/** A field's change, whichever element it is. */
interface Typed {
  readonly currentTarget: { readonly value: string };
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
  const asWritten = { value, onChange: ({ currentTarget }: Typed) => onChange(currentTarget.value) };
  const asString = {
    value: stringOf(view),
    onChange: ({ currentTarget: { value: written } }: Typed) =>
      onChange(written === '' ? '' : JSON.stringify(written)),
  };
  const line = { ...common, classNames: { input: 'mono' }, autoComplete: 'off' };
  const area = { ...common, autosize: true, minRows: 1 };
  switch (control) {
    case 'codes':
      return <NativeSelect {...common} {...asString} data={codesOf(view)} />;
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

/** The codes that can be chosen; one that is none of them stands there as it is. */
function codesOf(view: RowView) {
  const codes = view.element?.codes ?? [];
  const code = stringOf(view);
  return [
    { value: '', label: text.patch.chooseCode },
    ...(code !== '' && !codes.includes(code) ? [{ value: code, label: text.patch.notAllowed(code) }] : []),
    ...codes.map((one) => ({ value: one, label: one })),
  ];
}

function stringOf({ parsed }: RowView): string {
  return parsed.kind === 'json' && parsed.node.kind === 'string' ? parsed.node.value : '';
}

function dateTypeOf(type: string | undefined): 'date' | 'dateTime' | 'instant' {
  return type === 'date' || type === 'instant' ? type : 'dateTime';
}
