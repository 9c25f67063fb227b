import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resourceCardOf, type ResourceFact } from '../../../core/fhir/card/resource-card.ts';
import type { Target } from '../../../core/fhir/follow.ts';
import { format } from '../../../core/json/print.ts';
import { scan } from '../../../core/json/scan.ts';
import { useConnection } from '../../platform/connection.ts';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import type { CardAsked } from './reading-context.ts';
import styles from './referred-card.module.css';

const words = text.card;

interface ReferredCardProps {
  readonly asked: CardAsked;
  readonly onFollow: (target: Target) => void;
  readonly onClose: () => void;
}

/** What a reference leads to that is no record: who or what it is, when, in which state, and its JSON. */
export function ReferredCard({ asked, onFollow, onClose }: ReferredCardProps) {
  const { reference, display, target } = asked;
  const { client, remote } = useConnection();
  const query = useQuery({
    queryKey: ['referred', remote?.id, reference],
    // No answer is no `undefined` of a query's.
    queryFn: async () => (await client.referred(reference)) ?? null,
    retry: false,
  });
  const found = typeof query.data === 'string' ? readable(query.data) : undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={found ? found.card.type : display || reference}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': words.close }}
      transitionProps={{ duration: 0 }}
    >
      <div className={styles.card}>
        {query.isPending && (
          <div role="group" aria-label={words.loading} aria-busy className={styles.wait}>
            <Skeleton height={16} width="60%" />
            <Skeleton height={12} />
            <Skeleton height={12} />
          </div>
        )}
        {query.isError && (
          <FailureMessage
            title={words.failed}
            failure={toFailure(query.error)}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.data === null && (
          <p className={styles.absent}>
            {remote ? words.absentThere(remote.name) : words.absent} <span className="mono">{reference}</span>
          </p>
        )}
        {found && (
          <>
            <h3 className={styles.name}>{found.card.name || display || words.unnamed}</h3>
            <Facts facts={found.card.facts} />
            <Json json={found.json} />
          </>
        )}
        {target && (
          <div className={styles.foot}>
            <Button
              variant="subtle"
              onClick={() => {
                onClose();
                onFollow(target);
              }}
            >
              {words.search}
            </Button>
          </div>
        )}
      </div>
    </Modal>
  );
}

function Facts({ facts }: { readonly facts: readonly ResourceFact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ kind, text: value }) => (
        <div key={kind}>
          <dt>{words.facts[kind]}</dt>
          <dd className={kind === 'id' || kind === 'identifier' ? 'mono' : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The resource as it is held, laid out for reading. */
function Json({ json }: { readonly json: string }) {
  const announce = useAnnounce();
  const [open, setOpen] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(json).then(
      () => announce(words.copied),
      () => announce(words.notCopied),
    );
  return (
    <div>
      <div className={styles.foot}>
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.json}
        </Button>
        {open && <Button onClick={() => void copy()}>{words.copy}</Button>}
      </div>
      {open && (
        // A scrolling region is reached by the keyboard.
        <pre className={styles.json} tabIndex={0} role="group" aria-label={words.json}>
          {json}
        </pre>
      )}
    </div>
  );
}

/** The text of a resource, read; undefined where it is no JSON. */
function readable(resource: string) {
  try {
    const { root } = scan(resource);
    return { card: resourceCardOf(root), json: format(root) };
  } catch {
    return undefined;
  }
}
