import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { Proxy } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import { certificateFields, type ConnectionForm, type FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';
import { LineField } from './line-field.tsx';

const words = text.connection;

/** What is known of a secret that may be kept. */
export type SecretState = 'none' | 'kept' | 'dropped';

type ProxyForm = Pick<ConnectionForm, 'proxyKind' | 'proxyUrl' | 'proxyUser' | 'proxySecret'>;

interface ProxyFieldsProps {
  readonly form: ProxyForm;
  readonly problems: FieldsProps['problems'];
  readonly onChange: (change: Partial<ProxyForm>) => void;
  readonly kinds: readonly Proxy['kind'][];
  readonly secret: SecretState;
}

/** The proxy that requests go through. */
export function ProxyFields({ form, problems, onChange, kinds, secret }: ProxyFieldsProps) {
  return (
    <>
      <NativeSelect
        className={styles.wide}
        label={words.proxy}
        value={form.proxyKind}
        data={kinds.map((value) => ({ value, label: words.proxies[value] }))}
        onChange={({ currentTarget }) => onChange({ proxyKind: currentTarget.value as Proxy['kind'] })}
      />
      {form.proxyKind === 'address' && (
        <>
          <LineField
            wide
            label={words.proxyUrl}
            hint={words.proxyUrlHint}
            value={form.proxyUrl}
            problem={problems.proxyUrl}
            onChange={(proxyUrl) => onChange({ proxyUrl })}
          />
          <TextInput
            label={words.proxyUser}
            value={form.proxyUser}
            error={problems.proxyUser}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => onChange({ proxyUser: currentTarget.value })}
          />
          <FurtherSecretField
            label={words.proxyPassword}
            value={form.proxySecret}
            state={secret}
            onChange={(proxySecret) => onChange({ proxySecret })}
          />
        </>
      )}
    </>
  );
}

interface CertificateFieldsProps extends FieldsProps {
  readonly secret: SecretState;
}

/** The certificate that this machine shows where a server asks for one. */
export function CertificateFields({ form, problems, onChange, secret }: CertificateFieldsProps) {
  const { certificateKind } = form;
  return (
    <>
      <NativeSelect
        className={styles.wide}
        label={words.clientCertificate}
        value={certificateKind}
        data={Object.entries(words.clientCertificates).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => {
          onChange({ certificateKind: currentTarget.value as ConnectionForm['certificateKind'] });
        }}
      />
      {certificateFields[certificateKind].map((name) => (
        <LineField
          key={name}
          wide
          label={words.certificateFiles[name]}
          hint={words.certificateHints[name]}
          value={form[name]}
          problem={problems[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      {certificateKind !== 'none' && (
        <FurtherSecretField
          label={words.passphrase}
          value={form.certificateSecret}
          state={secret}
          onChange={(certificateSecret) => onChange({ certificateSecret })}
        />
      )}
    </>
  );
}

interface FurtherSecretFieldProps {
  readonly label: string;
  readonly value: string;
  readonly state: SecretState;
  readonly onChange: (secret: string) => void;
}

function FurtherSecretField({ label, value, state, onChange }: FurtherSecretFieldProps) {
  return (
    <PasswordInput
      label={label}
      description={words.secretStates[state]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
