import { NativeSelect, PasswordInput, Textarea } from '@mantine/core';
import { assertionAlgorithms, authenticationKinds } from '../../../core/app/connection-check.ts';
import type { AssertionAlgorithm, Authentication, SecretBackend } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import { accessFields, type FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';
import { LineField } from './line-field.tsx';

const words = text.connection;
const scopeHints: Readonly<Partial<Record<Authentication['kind'], string>>> = words.scopeHint;

interface AccessFieldsProps extends FieldsProps {
  readonly backend: SecretBackend | undefined;
  /** Whether a secret is kept, and stays with what the form says now. */
  readonly secret: 'none' | 'kept' | 'dropped';
}

/** How requests are authorised: the kind, its fields, and the secret, which is written and never read. */
export function AccessFields({ form, problems, onChange, backend, secret }: AccessFieldsProps) {
  const { kind } = form;
  const fields: readonly string[] = accessFields[kind];
  return (
    <div className={styles.fields}>
      <NativeSelect
        className={styles.wide}
        label={words.authentication}
        value={kind}
        data={authenticationKinds.map((value) => ({ value, label: words.kinds[value] }))}
        onChange={({ currentTarget }) => {
          onChange({ kind: currentTarget.value as Authentication['kind'], secret: '' });
        }}
      />
      {textFields
        .filter(({ name }) => fields.includes(name))
        .map(({ name, label, hint }) => (
          <LineField
            key={name}
            wide={name.endsWith('Endpoint')}
            label={label}
            hint={(name === 'scope' ? scopeHints[kind] : hint) ?? ''}
            value={form[name]}
            problem={problems[name]}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
      {fields.includes('algorithm') && (
        <NativeSelect
          label={words.algorithm}
          value={form.algorithm}
          data={[...assertionAlgorithms]}
          onChange={({ currentTarget }) => {
            onChange({ algorithm: currentTarget.value as AssertionAlgorithm });
          }}
        />
      )}
      {kind !== 'none' && (
        <div className={styles.wide}>
          <SecretField
            form={form}
            problem={problems.secret}
            onChange={(value) => onChange({ secret: value })}
          />
          <p className={styles.hint}>
            {secret === 'kept' && <>{words.secretSet} </>}
            {secret === 'dropped' && <>{words.secretGone} </>}
            {backend && words.backends[backend]}
          </p>
        </div>
      )}
    </div>
  );
}

const textFields = [
  { name: 'clientId', label: words.clientId, hint: '' },
  { name: 'keyId', label: words.keyId, hint: '' },
  { name: 'scope', label: words.scope, hint: '' },
  { name: 'authorizationEndpoint', label: words.authorizationEndpoint, hint: words.endpointHint },
  { name: 'tokenEndpoint', label: words.tokenEndpoint, hint: words.endpointHint },
] as const;

interface SecretFieldProps extends Pick<FieldsProps, 'form'> {
  readonly problem: string | undefined;
  readonly onChange: (secret: string) => void;
}

/** A key has lines, which a password's field would lose. */
function SecretField({ form: { kind, secret }, problem, onChange }: SecretFieldProps) {
  const label = words.secrets[kind];
  return kind === 'smart-backend' ? (
    <Textarea
      label={label}
      classNames={{ input: 'mono' }}
      rows={4}
      value={secret}
      error={problem}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ) : (
    <PasswordInput
      label={label}
      value={secret}
      error={problem}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
