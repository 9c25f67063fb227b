import type { Proxy } from '../../../core/app/connections.ts';
import { text } from '../../ui/text.ts';
import { certificateFields, type FieldsProps } from './connection-form.ts';
import { ChoiceField, FurtherSecretField, LineField, type SecretState } from './form-fields.tsx';

const messages = text.connection;

interface CertificateFieldsProps extends FieldsProps {
  readonly secret: SecretState;
}

interface ProxyFieldsProps extends CertificateFieldsProps {
  readonly kinds: readonly Proxy['kind'][];
}

/** Fields of the proxy. */
export function ProxyFields({ kinds, secret, ...fields }: ProxyFieldsProps) {
  return (
    <>
      <ChoiceField
        wide
        {...fields}
        name="proxyKind"
        label={messages.proxy}
        data={kinds.map((value) => ({ value, label: messages.proxies[value] }))}
      />
      {fields.form.proxyKind === 'address' && (
        <>
          <LineField
            wide
            {...fields}
            name="proxyUrl"
            label={messages.proxyUrl}
            placeholder={messages.proxyUrlHint}
          />
          <LineField {...fields} name="proxyUser" label={messages.proxyUser} classNames={{}} />
          <FurtherSecretField {...fields} name="proxySecret" label={messages.proxyPassword} state={secret} />
        </>
      )}
    </>
  );
}

/** Fields of the client certificate. */
export function CertificateFields({ secret, ...fields }: CertificateFieldsProps) {
  const { certificateKind } = fields.form;
  return (
    <>
      <ChoiceField
        wide
        {...fields}
        name="certificateKind"
        label={messages.clientCertificate}
        data={Object.entries(messages.clientCertificates).map(([value, label]) => ({ value, label }))}
      />
      {certificateFields[certificateKind].map((name) => (
        <LineField
          key={name}
          wide
          {...fields}
          name={name}
          label={messages.certificateFiles[name]}
          placeholder={messages.certificateHints[name]}
        />
      ))}
      {certificateKind !== 'none' && (
        <FurtherSecretField {...fields} name="certificateSecret" label={messages.passphrase} state={secret} />
      )}
    </>
  );
}
