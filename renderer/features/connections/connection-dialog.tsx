import { Button, Modal } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Question } from '../../ui/question.tsx';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { text } from '../../ui/text.ts';
import { AccessFields } from './access-fields.tsx';
import { FurtherFields, ServerFields } from './connection-fields.tsx';
import styles from './connections.module.css';
import { SignIn } from './sign-in.tsx';
import { TestResult } from './test-result.tsx';
import { useConnectionDialog, type DialogOf, type OpenDialog } from './use-connection-dialog.ts';

const words = text.connection;
const furtherNames = [
  ...['proxyUrl', 'proxyUser', 'certificateFile', 'keyFile', 'file', 'caFile'],
  ...['timeoutSeconds', 'encounterParameter', 'patchType'],
];

interface ConnectionDialogProps extends DialogOf {
  readonly onClose: () => void;
}

/** One connection: where it leads, how it looks, what may be sent, how it is authorised; tested before it is used. */
export function ConnectionDialog({ onClose, ...of }: ConnectionDialogProps) {
  const dialog = useConnectionDialog(of, onClose);
  const { form, problems, kept, test } = dialog;
  const [removing, setRemoving] = useState(false);
  const fields = { form, problems, onChange: dialog.change };
  const further = furtherNames.some((name) => problems[name] !== undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={!removing}
      title={kept ? words.editTitle(kept.name) : words.addTitle}
      size={680}
      yOffset={32}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void dialog.saveAndClose();
        }}
      >
        {of.like && <p className={styles.hint}>{words.copied(of.like.name)}</p>}
        <ServerFields {...fields} />
        <AccessFields {...fields} backend={dialog.backend} secret={dialog.secrets.secret} />
        {form.kind === 'authorization-code' && <SignIn dialog={dialog} />}
        <details className={styles.further} {...(further && { open: true })}>
          <summary>{words.more}</summary>
          <FurtherFields {...fields} secrets={dialog.secrets} />
        </details>
        {dialog.failure && <FailureMessage title={dialog.failure.title} failure={dialog.failure} />}
        {test.data && <TestResult result={test.data} />}
        <Foot dialog={dialog} onRemove={() => setRemoving(true)} onClose={onClose} />
      </form>
      {removing && (
        <Question
          title={words.removeTitle(form.name)}
          confirm={words.remove}
          keep={words.keep}
          onConfirm={() => {
            setRemoving(false);
            void dialog.remove();
          }}
          onKeep={() => setRemoving(false)}
          zIndex={400}
        >
          <p>{words.removeDetail}</p>
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

/** What can be done with the connection, as it is kept and as it is written. */
function Foot({ dialog, onRemove, onClose }: FootProps) {
  const { kept, busy, test, secrets } = dialog;
  return (
    <SheetFoot className={styles.foot}>
      {kept && (
        <Button color="red" variant="outline" onClick={onRemove}>
          {words.remove}
        </Button>
      )}
      {secrets.secret === 'kept' && (
        <Button disabled={busy} onClick={() => void dialog.removeSecret()}>
          {words.removeSecret}
        </Button>
      )}
      <span className={styles.space} />
      <Button
        leftSection={<IconPlugConnected size={16} aria-hidden />}
        loading={test.isPending}
        disabled={busy}
        onClick={() => void dialog.runTest()}
      >
        {words.test}
      </Button>
      <Button onClick={onClose}>{words.cancel}</Button>
      <Button type="submit" variant="filled" loading={busy && !test.isPending}>
        {words.save}
      </Button>
    </SheetFoot>
  );
}
