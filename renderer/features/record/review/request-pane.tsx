import { Radio } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useConnection } from '../../../platform/connection.ts';
import { usePerson } from '../../../platform/people.ts';
import { formatBytes } from '../../../ui/format.ts';
import { text } from '../../../ui/text.ts';
import type { Method, RecordState } from '../record-state.ts';
import type { RecordTarget } from '../use-record-requests.ts';
import styles from './review.module.css';
import { patchOf, requestOf, toRemoteRequest, type SaveRequest } from './save-request.ts';

interface RequestPaneProps {
  readonly target: RecordTarget;
  readonly disabled: boolean;
}

/** The request as it will be sent, and the choice between the whole record and the changed elements. */
export function RequestPane({ target: { state, dispatch }, disabled }: RequestPaneProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { remote } = useConnection();
  const person = usePerson()?.name;
  const request = useMemo(() => {
    const localRequest = requestOf(state, person);
    return remote ? toRemoteRequest(remote, localRequest) : localRequest;
  }, [person, remote, state]);
  const patch = useMemo(() => patchOf(state), [state]);
  const size = useMemo(() => new TextEncoder().encode(request.body).length, [request.body]);
  return (
    <section className={styles.pane} aria-label={text.request.name}>
      <h2>{text.request.name}</h2>
      {request.method === 'POST' ? (
        <p>{text.request.postHint}</p>
      ) : (
        <MethodChoice
          state={state}
          request={request}
          patch={patch}
          disabled={disabled}
          onMethod={(method) => dispatch({ type: 'send', as: method })}
        />
      )}
      <code className={styles.head} role="group" aria-label={text.request.head}>
        <span>{`${request.method} ${request.path}`}</span>
        {request.headers.map(([name, value]) => (
          <span key={name}>{`${name}: ${value}`}</span>
        ))}
      </code>
      <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{text.request.body(formatBytes(size))}</summary>
        {isOpen && (
          <pre className={styles.body} tabIndex={0} data-request-body>
            {request.body}
          </pre>
        )}
      </details>
    </section>
  );
}

interface MethodChoiceProps {
  readonly state: RecordState;
  readonly request: SaveRequest;
  readonly patch: ReturnType<typeof patchOf>;
  readonly disabled: boolean;
  readonly onMethod: (way: Method) => void;
}

/** Choice between the whole record and the changed elements. */
function MethodChoice({ state, request, patch, disabled, onMethod }: MethodChoiceProps) {
  const canPatch = 'body' in patch;
  return (
    <>
      <Radio.Group
        aria-label={text.request.as}
        value={request.method === 'PATCH' ? 'patch' : 'put'}
        onChange={(value) => onMethod(value === 'patch' ? 'patch' : 'put')}
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
      {!canPatch && <p className={styles.reason}>{text.request.noPatch[patch.reason](patch.pointers)}</p>}
    </>
  );
}
