import { Button, Modal, Skeleton } from '@mantine/core';
import type { Target } from '../../../core/fhir/follow.ts';
import { useConnection } from '../../platform/connection.ts';
import { useReferred } from '../../platform/referred.ts';
import { RequestFailure } from '../../ui/failure-message.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { ResourceFacts, ResourceJson } from '../../ui/resource-card.tsx';
import { text } from '../../ui/text.ts';
import type { CardRequest } from './reading-context.ts';
import styles from './referred-card.module.css';

const messages = text.card;

interface ReferredCardProps {
  readonly request: CardRequest;
  readonly onFollow: (target: Target) => void;
  readonly onClose: () => void;
}

/** Card of a referenced resource that is no record: name, dates, status and JSON. */
export function ReferredCard({ request, onFollow, onClose }: ReferredCardProps) {
  const { reference, display, target } = request;
  const { remote } = useConnection();
  const query = useReferred([reference]);
  const resource = query.data ?? undefined;
  return (
    <Modal
      opened
      onClose={onClose}
      title={resource ? resource.card.type : display || reference}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': messages.close }}
      transitionProps={{ duration: 0 }}
    >
      <div className={styles.card}>
        {query.isPending && (
          <div role="group" aria-label={messages.loading} aria-busy className={styles.wait}>
            <Skeleton height={16} width="60%" />
            <Skeleton height={12} />
            <Skeleton height={12} />
          </div>
        )}
        <RequestFailure title={messages.failed} query={query} />
        {query.data === null && (
          <p className={styles.absent}>
            {remote ? messages.absentThere(remote.name) : messages.absent}{' '}
            <span className="mono">{reference}</span>
          </p>
        )}
        {resource && (
          <>
            <h3 className={styles.name}>
              <ModifiedName
                name={resource.card.name || display || messages.unnamed}
                negation={resource.card.negation}
              />
            </h3>
            <ResourceFacts facts={resource.card.facts} />
            <ResourceJson json={resource.json} />
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
              {messages.search}
            </Button>
          </div>
        )}
      </div>
    </Modal>
  );
}
