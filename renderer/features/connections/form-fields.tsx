import { NativeSelect, PasswordInput, TextInput, type TextInputProps } from '@mantine/core';
import { text } from '../../ui/text.ts';
import type { ConnectionForm, FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';

interface FieldProps<Name extends keyof ConnectionForm> extends FieldsProps {
  readonly name: Name;
  readonly label: string;
}

type Text = { [Name in keyof ConnectionForm]: string extends ConnectionForm[Name] ? Name : never };

interface LineFieldProps
  extends
    FieldProps<Text[keyof ConnectionForm]>,
    Omit<TextInputProps, 'form' | 'name' | 'label' | 'onChange'> {
  /** Spans both columns. */
  readonly wide?: boolean;
}

/** Single-line field, monospaced without spell check by default, for addresses, paths and IDs. */
export function LineField({ form, problems, onChange, name, wide, ...input }: LineFieldProps) {
  return (
    <TextInput
      className={wide ? styles.wide : undefined}
      classNames={{ input: 'mono' }}
      spellCheck={false}
      autoComplete="off"
      {...input}
      value={form[name]}
      error={problems[name]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}

interface ChoiceFieldProps extends FieldProps<keyof ConnectionForm> {
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  /** Spans both columns. */
  readonly wide?: boolean;
}

/** Select field of a form value. */
export function ChoiceField({ form, onChange, name, label, data, wide }: ChoiceFieldProps) {
  return (
    <NativeSelect
      className={wide ? styles.wide : undefined}
      label={label}
      value={form[name]}
      data={[...data]}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}

/** State of a secret: none, stored, or dropped on save. */
export type SecretState = 'none' | 'kept' | 'dropped';

interface SecretFieldProps extends FieldProps<'proxySecret' | 'certificateSecret'> {
  readonly state: SecretState;
}

/** Field for a further secret, with the state of the stored secret. */
export function FurtherSecretField({ form, onChange, name, label, state }: SecretFieldProps) {
  return (
    <PasswordInput
      label={label}
      description={text.connection.secretStates[state]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={form[name]}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  );
}
