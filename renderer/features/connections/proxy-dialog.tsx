import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefaultProxy } from '../../../core/app/connections.ts';
import { isSameProxy, throughDefaultProxy } from '../../../core/app/secret-places.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { emptyForm, formOfProxy, readProxy } from './connection-form.ts';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';
import { useConnectionRequests } from './connection-requests.ts';
import { ProxyFields } from './way-fields.tsx';

const messages = text.connection;

interface ProxyDialogProps {
  readonly proxy: DefaultProxy;
  readonly onClose: () => void;
}

/** Dialog of the proxy for all connections without their own. */
export function ProxyDialog({ proxy, onClose }: ProxyDialogProps) {
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const list = useConnections().data;
  const isPasswordStored = list?.proxySecretSet === true;
  const [form, setForm] = useState({ ...emptyForm, ...formOfProxy(proxy) });
  const result = readProxy(form);
  const [showsProblems, setShowsProblems] = useState(false);
  const save = useMutation({
    mutationFn: (newProxy: DefaultProxy) => requests.saveProxy(newProxy, form.proxySecret),
    onSuccess: () => {
      announce(messages.proxySaved);
      onClose();
    },
  });
  const isSame = 'value' in result && isSameProxy(result.value, proxy);
  const affectedConnections = isSame
    ? []
    : throughDefaultProxy(list?.connections ?? []).filter(({ secretSet }) => secretSet);
  return (
    <Modal opened onClose={onClose} title={messages.proxyTitle} size={560} withCloseButton={false}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsProblems(true);
          if ('value' in result) save.mutate(result.value);
        }}
      >
        <div className={styles.fields}>
          <ProxyFields
            form={form}
            problems={showsProblems && 'problems' in result ? result.problems : {}}
            kinds={['system', 'none', 'address']}
            secret={!isPasswordStored ? 'none' : isSame ? 'kept' : 'dropped'}
            onChange={(change) => setForm((previous) => ({ ...previous, ...change }))}
          />
        </div>
        {form.proxyKind === 'system' && <p className={styles.hint}>{messages.proxySystem}</p>}
        {affectedConnections.length > 0 && (
          <p className={styles.hint}>
            {messages.proxySecretsGone(affectedConnections.map(({ name }) => name))}
          </p>
        )}
        <RequestFailure title={messages.proxyFailed} query={save} />
        <SheetFooter className={styles.foot}>
          <span className={styles.space} />
          <Button onClick={onClose}>{messages.cancel}</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {messages.proxySave}
          </Button>
        </SheetFooter>
      </form>
    </Modal>
  );
}
