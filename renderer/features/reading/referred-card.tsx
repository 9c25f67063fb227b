import { Button, Modal, Skeleton } from '@mantine/core';
import type { Target } from '../../../core/fhir/follow.ts';
import { useConnection } from '../../platform/connection.ts';
import { useReferred } from '../../platform/referred.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { ResourceFacts, ResourceJson } from '../../ui/resource-card.tsx';
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
  const { remote } = useConnection();
  const query = useReferred([reference]);
  const found = query.data ?? undefined;
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
        <RequestFailure title={words.failed} of={query} />
        {query.data === null && (
          <p className={styles.absent}>
            {remote ? words.absentThere(remote.name) : words.absent} <span className="mono">{reference}</span>
          </p>
        )}
        {found && (
          <>
            <h3 className={styles.name}>
              <ModifiedName name={found.card.name || display || words.unnamed} before={found.card.before} />
            </h3>
            <ResourceFacts facts={found.card.facts} />
            <ResourceJson json={found.json} />
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
