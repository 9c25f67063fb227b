import { TextInput } from '@mantine/core';
import type { Proxy } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import { certificateFields, type FieldsProps } from './connection-form.ts';
import { ChoiceField, FurtherSecretField, LineField, type SecretState } from './form-fields.tsx';

const words = text.connection;

interface CertificateFieldsProps extends FieldsProps {
  readonly secret: SecretState;
}

interface ProxyFieldsProps extends CertificateFieldsProps {
  readonly kinds: readonly Proxy['kind'][];
}

/** The proxy that requests go through. */
export function ProxyFields({ kinds, secret, ...fields }: ProxyFieldsProps) {
  const { form, problems, onChange } = fields;
  return (
    <>
      <ChoiceField
        wide
        {...fields}
        name="proxyKind"
        label={words.proxy}
        data={kinds.map((value) => ({ value, label: words.proxies[value] }))}
      />
      {form.proxyKind === 'address' && (
        <>
          <LineField wide {...fields} name="proxyUrl" label={words.proxyUrl} hint={words.proxyUrlHint} />
          <TextInput
            label={words.proxyUser}
            value={form.proxyUser}
            error={problems.proxyUser}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => onChange({ proxyUser: currentTarget.value })}
          />
          <FurtherSecretField {...fields} name="proxySecret" label={words.proxyPassword} state={secret} />
        </>
      )}
    </>
  );
}

/** The certificate that this machine shows where a server asks for one. */
export function CertificateFields({ secret, ...fields }: CertificateFieldsProps) {
  const { certificateKind } = fields.form;
  return (
    <>
      <ChoiceField
        wide
        {...fields}
        name="certificateKind"
        label={words.clientCertificate}
        data={Object.entries(words.clientCertificates).map(([value, label]) => ({ value, label }))}
      />
      {certificateFields[certificateKind].map((name) => (
        <LineField
          key={name}
          wide
          {...fields}
          name={name}
          label={words.certificateFiles[name]}
          hint={words.certificateHints[name]}
        />
      ))}
      {certificateKind !== 'none' && (
        <FurtherSecretField {...fields} name="certificateSecret" label={words.passphrase} state={secret} />
      )}
    </>
  );
}
