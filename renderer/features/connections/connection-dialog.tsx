import { Button, Modal, Anchor, Loader } from '@mantine/core';
import {
  IconPlugConnected,
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconMinus,
  IconX,
} from '@tabler/icons-react';
import { useState, useEffect, useRef } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { AccessFields } from './access-fields.tsx';
import styles from './connections.module.css';
import { useConnectionDialog, type DialogOf, type OpenDialog } from './use-connection-dialog.ts';
import {
  connectionColors,
  connectionModes,
  environments,
  patchTypes,
  Proxy,
} from '../../../core/app/connection-check.ts';
import { swatchOf } from '../../platform/connection.ts';
import { completedUrl, type FieldsProps } from './connection-form.ts';
import { ChoiceField, LineField, type SecretState } from './form-fields.tsx';
import { CertificateFields, ProxyFields } from './way-fields.tsx';
import type { AnnouncedType, ConnectionTest, TestStep } from '../../../core/app/connections.ts';
import { resourceTypes } from '../../../core/fhir/resource.ts';
import { formatList } from '../../ui/format.ts';
import { DetailItem } from '../../ui/log/log-details.tsx';

/** Result of a connection test: server details, or the reason of the failure. */
export function TestResult({ result }: { readonly result: ConnectionTest }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  if (!result.ok) {
    return (
      <section ref={section} className={styles.test} role="alert">
        <p data-good={false}>
          <IconAlertTriangle size={16} aria-hidden /> {messages.testFailed} {result.text}
        </p>
        <Steps steps={result.steps} />
      </section>
    );
  }
  const { software, version, fhirVersion, formats, types, remarks, ms, steps } = result;
  return (
    <section ref={section} className={styles.test} aria-label={messages.tested} role="status">
      <p data-good>
        <IconCircleCheck size={16} aria-hidden /> {messages.answered(ms)}
      </p>
      <Steps steps={steps} />
      <dl>
        <DetailItem
          name={messages.software}
          value={[software ?? messages.unnamed, version].filter(Boolean).join(' ')}
        />
        <DetailItem name={messages.fhir} value={fhirVersion ?? messages.unnamed} />
        <DetailItem name={messages.formats} value={formatList(formats, 'unit') || messages.unnamed} />
        {resourceTypes.map((type) => (
          <TypeCapabilities key={type} type={type} capabilities={types[type]} />
        ))}
      </dl>
      {remarks.length > 0 && (
        <ul>
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const outcomeIcons = { done: IconCheck, failed: IconX, skipped: IconMinus } as const;

/** Steps of the test with their outcomes. */
function Steps({ steps }: { readonly steps: readonly TestStep[] }) {
  return (
    <ol className={styles.steps} aria-label={messages.steps}>
      {steps.map(({ step, outcome, text: message }) => {
        const Icon = outcomeIcons[outcome];
        return (
          <li key={step} data-outcome={outcome}>
            <Icon size={14} aria-label={messages.outcomes[outcome]} />
            <strong>{messages.stepNames[step]}</strong>
            <span>{message}</span>
          </li>
        );
      })}
    </ol>
  );
}

interface AnnouncedProps {
  readonly type: string;
  readonly capabilities: AnnouncedType | undefined;
}

function TypeCapabilities({ type, capabilities }: AnnouncedProps) {
  if (!capabilities) return <DetailItem name={messages.offers(type)} value={messages.noType} />;
  const interactions = (['create', 'update', 'patch', 'history'] as const).filter(
    (name) => capabilities[name],
  );
  return (
    <>
      <DetailItem name={messages.versions(type)} value={versioningOf(capabilities)} />
      <DetailItem
        name={messages.offers(type)}
        value={formatList(['read', 'search', ...interactions], 'unit')}
      />
    </>
  );
}

function versioningOf({ versioning = '' }: AnnouncedType): string {
  const versioningLabels: Readonly<Record<string, string>> = messages.versioning;
  return versioningLabels[versioning] ?? messages.versioning.unsaid;
}

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

/** State of the sign-in, with buttons to sign in or out. */
export function SignIn({ dialog }: { readonly dialog: OpenDialog }) {
  const { savedConnection, address, busy } = dialog;
  const access = savedConnection?.access;
  return (
    <div className={styles.signIn} role="status">
      {access === 'signing-in' && (
        <>
          <Loader size={14} />
          <p>{messages.signingIn}</p>
          {address !== undefined && (
            <Anchor href={address} target="_blank" rel="noopener noreferrer">
              {messages.signInAgain}
            </Anchor>
          )}
        </>
      )}
      {access === 'ready' && (
        <>
          <p>{messages.signedIn}</p>
          <Button onClick={() => void dialog.signOut()}>{messages.signOut}</Button>
        </>
      )}
      {access !== 'ready' && access !== 'signing-in' && (
        <>
          <p>{savedConnection?.accessFault ?? messages.signedOut}</p>
          <Button loading={busy} onClick={() => void dialog.signIn()}>
            {messages.signIn}
          </Button>
        </>
      )}
    </div>
  );
}

const messages = text.connection;
const furtherNames = [
  'proxyUrl',
  'proxyUser',
  'certificateFile',
  'keyFile',
  'file',
  'caFile',
  'timeoutSeconds',
  'encounterParameter',
  'patchType',
];

interface ConnectionDialogProps extends DialogOf {
  readonly onClose: () => void;
}

/** Dialog of one connection: server, color, mode and access, with a test before use. */
export function ConnectionDialog({ onClose, ...target }: ConnectionDialogProps) {
  const dialog = useConnectionDialog(target, onClose);
  const { form, problems, savedConnection, test } = dialog;
  const [isRemoving, setIsRemoving] = useState(false);
  const fields = { form, problems, onChange: dialog.change };
  const hasFurtherProblems = furtherNames.some((name) => problems[name] !== undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!isRemoving}
      title={savedConnection ? messages.editTitle(savedConnection.name) : messages.addTitle}
      size={680}
      yOffset={32}
      closeButtonProps={{ 'aria-label': messages.close }}
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void dialog.saveAndClose();
        }}
      >
        {target.copySource && <p className={styles.hint}>{messages.copied(target.copySource.name)}</p>}
        <ServerFields {...fields} />
        <AccessFields {...fields} backend={dialog.backend} secret={dialog.secrets.secret} />
        {form.kind === 'authorization-code' && <SignIn dialog={dialog} />}
        <details className={styles.further} {...(hasFurtherProblems && { open: true })}>
          <summary>{messages.more}</summary>
          <FurtherFields {...fields} secrets={dialog.secrets} />
        </details>
        {dialog.failure && <FailureMessage title={dialog.failure.title} failure={dialog.failure} />}
        {test.data && <TestResult result={test.data} />}
        <Foot dialog={dialog} onRemove={() => setIsRemoving(true)} onClose={onClose} />
      </form>
      {isRemoving && (
        <Question
          title={messages.removeTitle(form.name)}
          confirm={messages.remove}
          keep={messages.keep}
          onConfirm={() => {
            setIsRemoving(false);
            void dialog.remove();
          }}
          onKeep={() => setIsRemoving(false)}
          zIndex={400}
        >
          <p>{messages.removeDetail}</p>
        </Question>
      )}
    </Modal>
  );
}

interface FootProps {
  readonly dialog: OpenDialog;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** Actions for the saved and the edited connection. */
function Foot({ dialog, onRemove, onClose }: FootProps) {
  const { savedConnection, busy, test, secrets } = dialog;
  return (
    <SheetFooter className={styles.foot}>
      {savedConnection && (
        <Button color="red" variant="outline" onClick={onRemove}>
          {messages.remove}
        </Button>
      )}
      {secrets.secret === 'kept' && (
        <Button disabled={busy} onClick={() => void dialog.removeSecret()}>
          {messages.removeSecret}
        </Button>
      )}
      <span className={styles.space} />
      <Button
        leftSection={<IconPlugConnected size={16} aria-hidden />}
        loading={test.isPending}
        disabled={busy}
        onClick={() => void dialog.runTest()}
      >
        {messages.test}
      </Button>
      <Button onClick={onClose}>{messages.cancel}</Button>
      <Button type="submit" variant="filled" loading={busy && !test.isPending}>
        {messages.save}
      </Button>
    </SheetFooter>
  );
}
