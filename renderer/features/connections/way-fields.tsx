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

/** Fields of the proxy. */
export function ProxyFields({ kinds, secret, ...fields }: ProxyFieldsProps) {
  return (
    <>
      <ChoiceField
        wide
        {...fields}
        name="proxyKind"
        label={words.proxy}
        data={kinds.map((value) => ({ value, label: words.proxies[value] }))}
      />
      {fields.form.proxyKind === 'address' && (
        <>
          <LineField
            wide
            {...fields}
            name="proxyUrl"
            label={words.proxyUrl}
            placeholder={words.proxyUrlHint}
          />
          <LineField {...fields} name="proxyUser" label={words.proxyUser} classNames={{}} />
          <FurtherSecretField {...fields} name="proxySecret" label={words.proxyPassword} state={secret} />
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
          placeholder={words.certificateHints[name]}
        />
      ))}
      {certificateKind !== 'none' && (
        <FurtherSecretField {...fields} name="certificateSecret" label={words.passphrase} state={secret} />
      )}
    </>
  );
}
