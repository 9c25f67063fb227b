import { NativeSelect, TextInput } from '@mantine/core';
import {
  connectionColours,
  connectionModes,
  environments,
  patchTypes,
  Proxy,
} from '../../../core/app/connection-check.ts';
import type {
  ConnectionColour,
  ConnectionMode,
  Environment,
  PatchType,
} from '../../../core/app/connections.ts';
import { swatchOf } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import { completedUrl, type FieldsProps } from './connection-form.ts';
import styles from './connections.module.css';
import { LineField } from './line-field.tsx';
import { CertificateFields, ProxyFields, type SecretState } from './way-fields.tsx';

const words = text.connection;
const proxyKinds = Proxy.options.map(({ entries }) => entries.kind.literal);

/** Which server, how it looks, and what may be sent to it. */
export function ServerFields({ form, problems, onChange }: FieldsProps) {
  const completed = completedUrl(form.baseUrl);
  return (
    <div className={styles.fields}>
      <TextInput
        label={words.name}
        placeholder={words.nameHint}
        value={form.name}
        error={problems.name}
        data-autofocus
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
      <Colours value={form.colour} onChange={(colour) => onChange({ colour })} />
      <TextInput
        className={styles.wide}
        label={words.baseUrl}
        placeholder={words.baseUrlHint}
        description={completed === undefined ? words.baseUrlDetail : words.baseUrlWill(completed)}
        classNames={{ input: 'mono' }}
        value={form.baseUrl}
        error={problems.baseUrl}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ baseUrl: currentTarget.value })}
      />
      <NativeSelect
        label={words.environment}
        value={form.environment}
        data={[
          { value: '', label: words.noEnvironment },
          ...environments.map((value) => ({ value, label: text.connections.environments[value] })),
        ]}
        onChange={({ currentTarget }) => onChange({ environment: currentTarget.value as Environment | '' })}
      />
      <NativeSelect
        label={words.mode}
        value={form.mode}
        data={connectionModes.map((value) => ({ value, label: words.modes[value] }))}
        onChange={({ currentTarget }) => onChange({ mode: currentTarget.value as ConnectionMode })}
      />
    </div>
  );
}

interface ColoursProps {
  readonly value: ConnectionColour;
  readonly onChange: (colour: ConnectionColour) => void;
}

function Colours({ value, onChange }: ColoursProps) {
  return (
    <div className={styles.colourField}>
      <NativeSelect
        label={words.colour}
        value={value}
        data={[...connectionColours]}
        onChange={({ currentTarget }) => onChange(currentTarget.value as ConnectionColour)}
      />
      <span className={styles.colour} style={{ background: swatchOf(value) }} aria-hidden />
    </div>
  );
}

interface FurtherFieldsProps extends FieldsProps {
  readonly secrets: Readonly<Record<'proxy' | 'certificate', SecretState>>;
}

/** What seldom needs another value. */
export function FurtherFields({ secrets, ...fields }: FurtherFieldsProps) {
  const { form, problems, onChange } = fields;
  return (
    <div className={styles.fields}>
      <ProxyFields {...fields} kinds={proxyKinds} secret={secrets.proxy} />
      <CertificateFields {...fields} secret={secrets.certificate} />
      <LineField
        wide
        label={words.caFile}
        hint={words.caFileHint}
        value={form.caFile}
        problem={problems.caFile}
        onChange={(caFile) => onChange({ caFile })}
      />
      <TextInput
        label={words.timeout}
        inputMode="numeric"
        value={form.timeout}
        error={problems.timeoutSeconds}
        onChange={({ currentTarget }) => onChange({ timeout: currentTarget.value })}
      />
      <LineField
        label={words.encounter}
        value={form.encounterParameter}
        problem={problems.encounterParameter}
        onChange={(encounterParameter) => onChange({ encounterParameter })}
      />
      <NativeSelect
        className={styles.wide}
        label={words.patchType}
        value={form.patchType}
        data={[...patchTypes]}
        onChange={({ currentTarget }) => onChange({ patchType: currentTarget.value as PatchType })}
      />
    </div>
  );
}
