import {
  connectionColors,
  connectionModes,
  environments,
  patchTypes,
  Proxy,
} from '../../../core/app/connection-check.ts';
import { swatchOf } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import { completedUrl, type FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';
import { ChoiceField, LineField, type SecretState } from './form-fields.tsx';
import { CertificateFields, ProxyFields } from './way-fields.tsx';

const messages = text.connection;
const proxyKinds = Proxy.options.map(({ entries }) => entries.kind.literal);

/** Fields of the server: name, color, address, environment and mode. */
export function ServerFields(fields: FieldsProps) {
  const { form } = fields;
  const completedAddress = completedUrl(form.baseUrl);
  return (
    <div className={styles.fields}>
      <LineField
        {...fields}
        name="name"
        label={messages.name}
        placeholder={messages.nameHint}
        classNames={{}}
        spellCheck
        data-autofocus
      />
      <div className={styles.colourField}>
        <ChoiceField
          {...fields}
          name="colour"
          label={messages.colour}
          data={connectionColors.map((value) => ({ value, label: messages.colours[value] }))}
        />
        <span className={styles.colour} style={{ background: swatchOf(form.colour) }} aria-hidden />
      </div>
      <LineField
        wide
        {...fields}
        name="baseUrl"
        label={messages.baseUrl}
        placeholder={messages.baseUrlHint}
        description={
          completedAddress === undefined ? messages.baseUrlDetail : messages.baseUrlWill(completedAddress)
        }
      />
      <ChoiceField
        {...fields}
        name="environment"
        label={messages.environment}
        data={[
          { value: '', label: messages.noEnvironment },
          ...environments.map((value) => ({ value, label: text.connections.environments[value] })),
        ]}
      />
      <ChoiceField
        {...fields}
        name="mode"
        label={messages.mode}
        data={connectionModes.map((value) => ({ value, label: messages.modes[value] }))}
      />
    </div>
  );
}

interface FurtherFieldsProps extends FieldsProps {
  readonly secrets: Readonly<Record<'proxy' | 'certificate', SecretState>>;
}

/** Fields that rarely need another value. */
export function FurtherFields({ secrets, ...fields }: FurtherFieldsProps) {
  return (
    <div className={styles.fields}>
      <ProxyFields {...fields} kinds={proxyKinds} secret={secrets.proxy} />
      <CertificateFields {...fields} secret={secrets.certificate} />
      <LineField wide {...fields} name="caFile" label={messages.caFile} placeholder={messages.caFileHint} />
      <LineField
        {...fields}
        name="timeoutSeconds"
        label={messages.timeout}
        inputMode="numeric"
        classNames={{}}
      />
      <LineField {...fields} name="encounterParameter" label={messages.encounter} />
      <ChoiceField wide {...fields} name="patchType" label={messages.patchType} data={patchTypes} />
    </div>
  );
}
