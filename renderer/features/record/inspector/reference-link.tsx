import { Anchor, Tooltip } from '@mantine/core';
import type { CardReference } from '../../../../core/fhir/card/parts.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { useReferenceName } from '../../../platform/reference-names.ts';
import { leadOf } from '../../../platform/references.ts';
import { ModifiedName } from '../../../ui/modified-name.tsx';
import styles from './inspector.module.css';

interface ReferenceLinkProps {
  readonly type: string;
  readonly reference: CardReference;
  readonly onFollow: (target: Target) => void;
}

/** A reference by its display. It is a link if it refers to a record or a search. */
export function ReferenceLink({ type, reference: writtenReference, onFollow }: ReferenceLinkProps) {
  const namedReference = useReferenceName(writtenReference);
  const { reference, display, negation } = namedReference;
  const link = leadOf(namedReference, type);
  const name = <ModifiedName name={display === '' ? reference : display} negation={negation} />;
  const literal = display !== '' && reference !== '' && <span className={styles.literal}>{reference}</span>;
  return (
    <span>
      {link ? (
        <Tooltip label={link.hint}>
          <Anchor
            component="button"
            type="button"
            className={styles.link ?? ''}
            onClick={() => onFollow(link.target)}
          >
            {name}
          </Anchor>
        </Tooltip>
      ) : (
        name
      )}
      {literal}
    </span>
  );
}
