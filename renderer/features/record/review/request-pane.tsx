import { Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useConnection } from '../../../platform/connection.ts';
import { usePerson } from '../../../platform/people.ts';
import { formatBytes } from '../../../ui/format.ts';
import { text } from '../../../ui/text.ts';
import type { Method, RecordState } from '../record-state.ts';
import type { RecordTarget } from '../use-record-io.ts';
import styles from './review.module.css';
import { patchOf, requestOf, sentTo, type SaveRequest } from './save-request.ts';

interface RequestPaneProps {
  readonly target: RecordTarget;
  readonly disabled: boolean;
}

/** The request as it will be sent, and the choice between sending the whole record and the changed elements. */
export function RequestPane({ target: { state, dispatch }, disabled }: RequestPaneProps) {
  const [open, setOpen] = useState(false);
  const { remote } = useConnection();
  const person = usePerson()?.name;
  const request = useMemo(() => {
    const own = requestOf(state, person);
    return remote ? sentTo(remote, own) : own;
  }, [person, remote, state]);
  const patch = useMemo(() => patchOf(state), [state]);
  const size = useMemo(() => new TextEncoder().encode(request.body).length, [request.body]);
  return (
    <section className={styles.pane} aria-label={text.request.name}>
      <h2>{text.request.name}</h2>
      {request.method === 'POST' ? (
        <p>{text.request.postHint}</p>
      ) : (
        <Ways {...{ state, request, patch, disabled }} onWay={(as) => dispatch({ type: 'send', as })} />
      )}
      <code className={styles.head} role="group" aria-label={text.request.head}>
        <span>{`${request.method} ${request.path}`}</span>
        {request.headers.map(([name, value]) => (
          <span key={name}>{`${name}: ${value}`}</span>
        ))}
      </code>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{text.request.body(formatBytes(size))}</summary>
        {open && (
          <pre className={styles.body} tabIndex={0} data-request-body>
            {request.body}
          </pre>
        )}
      </details>
    </section>
  );
}

interface WaysProps {
  readonly state: RecordState;
  readonly request: SaveRequest;
  readonly patch: ReturnType<typeof patchOf>;
  readonly disabled: boolean;
  readonly onWay: (way: Method) => void;
}

/** The whole record, or the changed elements. */
function Ways({ state, request, patch, disabled, onWay }: WaysProps) {
  const canPatch = 'body' in patch;
  return (
    <>
      <Radio.Group
        aria-label={text.request.as}
        value={request.method === 'PATCH' ? 'patch' : 'put'}
        onChange={(value) => onWay(value === 'patch' ? 'patch' : 'put')}
      >
        <div className={styles.methods}>
          <Radio size="xs" value="put" label={text.request.put} disabled={disabled} />
          <Radio size="xs" value="patch" label={text.request.patch} disabled={disabled || !canPatch} />
          <p>
            {request.method === 'PATCH' && canPatch
              ? text.request.patchHint(patch.pointers.length)
              : text.request.putHint}{' '}
            {text.request.same(state.base?.version)}
          </p>
        </div>
      </Radio.Group>
      {!canPatch && (
        <p className={styles.reason}>{text.request.noPatch[patch.reason](patch.pointers.join(', '))}</p>
      )}
    </>
  );
}
