import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DefaultProxy } from '../../../core/app/connections.ts';
import { isSameProxy, throughDefaultProxy } from '../../../core/app/secret-places.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { text } from '../../ui/text.ts';
import { emptyForm, formOfProxy, readProxy } from './connection-form.ts';
import styles from './connections.module.css';
import { useConnections } from '../../platform/use-connections.ts';
import { useConnectionRequests } from './connection-requests.ts';
import { ProxyFields } from './way-fields.tsx';

const words = text.connection;

interface ProxyDialogProps {
  readonly proxy: DefaultProxy;
  readonly onClose: () => void;
}

/** The proxy of all connections that name none. */
export function ProxyDialog({ proxy, onClose }: ProxyDialogProps) {
  const announce = useAnnounce();
  const requests = useConnectionRequests();
  const list = useConnections().data;
  const isKept = list?.proxySecretSet === true;
  const [form, setForm] = useState({ ...emptyForm, ...formOfProxy(proxy) });
  const read = readProxy(form);
  const [shown, setShown] = useState(false);
  const save = useMutation({
    mutationFn: (chosen: DefaultProxy) => requests.saveProxy(chosen, form.proxySecret),
    onSuccess: () => {
      announce(words.proxySaved);
      onClose();
    },
  });
  const isSame = 'value' in read && isSameProxy(read.value, proxy);
  const losing = isSame
    ? []
    : throughDefaultProxy(list?.connections ?? []).filter(({ secretSet }) => secretSet);
  return (
    <Modal opened onClose={onClose} title={words.proxyTitle} size={560} withCloseButton={false}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShown(true);
          if ('value' in read) save.mutate(read.value);
        }}
      >
        <div className={styles.fields}>
          <ProxyFields
            form={form}
            problems={shown && 'problems' in read ? read.problems : {}}
            kinds={['system', 'none', 'address']}
            secret={!isKept ? 'none' : isSame ? 'kept' : 'dropped'}
            onChange={(change) => setForm((now) => ({ ...now, ...change }))}
          />
        </div>
        {form.proxyKind === 'system' && <p className={styles.hint}>{words.proxySystem}</p>}
        {losing.length > 0 && (
          <p className={styles.hint}>{words.proxySecretsGone(losing.map(({ name }) => name))}</p>
        )}
        <RequestFailure title={words.proxyFailed} of={save} />
        <SheetFoot className={styles.foot}>
          <span className={styles.space} />
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" variant="filled" loading={save.isPending}>
            {words.proxySave}
          </Button>
        </SheetFoot>
      </form>
    </Modal>
  );
}
