import { Button, Modal, Anchor, Loader } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { AccessFields } from './access-fields.tsx';
import { FurtherFields, ServerFields } from './connection-fields.tsx';
import styles from './connections.module.css';
import { TestResult } from './test-result.tsx';
import { useConnectionDialog, type DialogOf, type OpenDialog } from './use-connection-dialog.ts';

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
