import { NativeSelect, PasswordInput, Textarea } from '@mantine/core';
import { assertionAlgorithms, authenticationKinds } from '../../../core/app/connection-check.ts';
import type { Authentication, SecretBackend } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import { accessFields, type FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';
import { ChoiceField, LineField, type SecretState } from './form-fields.tsx';

const messages = text.connection;
const scopeHints: Readonly<Partial<Record<Authentication['kind'], string>>> = messages.scopeHint;
const endpointHints = { authorizationEndpoint: messages.endpointHint, tokenEndpoint: messages.endpointHint };

interface AccessFieldsProps extends FieldsProps {
  readonly backend: SecretBackend | undefined;
  readonly secret: SecretState;
}

/** Fields of the authentication: its kind, settings and write-only secret. */
export function AccessFields({ backend, secret, ...fields }: AccessFieldsProps) {
  const { kind } = fields.form;
  const names: readonly (typeof accessFields)[typeof kind][number][] = accessFields[kind];
  const hints: Partial<Record<string, string>> = { ...endpointHints, scope: scopeHints[kind] ?? '' };
  return (
    <div className={styles.fields}>
      <NativeSelect
        className={styles.wide}
        label={messages.authentication}
        value={kind}
        data={authenticationKinds.map((value) => ({ value, label: messages.kinds[value] }))}
        onChange={({ currentTarget }) => {
          fields.onChange({ kind: currentTarget.value as Authentication['kind'], secret: '' });
        }}
      />
      {names
        .filter((name) => name !== 'algorithm')
        .map((name) => (
          <LineField
            key={name}
            wide={name.endsWith('Endpoint')}
            {...fields}
            name={name}
            label={messages[name]}
            placeholder={hints[name]}
          />
        ))}
      {names.includes('algorithm') && (
        <ChoiceField {...fields} name="algorithm" label={messages.algorithm} data={assertionAlgorithms} />
      )}
      {kind !== 'none' && (
        <div className={styles.wide}>
          <SecretField {...fields} />
          <p className={styles.hint}>
            {secret === 'kept' && <>{messages.secretSet} </>}
            {secret === 'dropped' && <>{messages.secretGone} </>}
            {backend && messages.backends[backend]}
          </p>
        </div>
      )}
    </div>
  );
}

/** A private key has several lines, which a password input would lose. */
function SecretField({ form: { kind, secret }, problems, onChange }: FieldsProps) {
  const shared = {
    label: messages.secrets[kind],
    value: secret,
    error: problems.secret,
    autoComplete: 'off',
  };
  return kind === 'smart-backend' ? (
    <Textarea
      {...shared}
      classNames={{ input: 'mono' }}
      rows={4}
      spellCheck={false}
      onChange={({ currentTarget }) => onChange({ secret: currentTarget.value })}
    />
  ) : (
    <PasswordInput {...shared} onChange={({ currentTarget }) => onChange({ secret: currentTarget.value })} />
  );
}
