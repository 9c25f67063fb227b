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

/** A reference by its display; a link where it leads to a record or to a search. */
export function ReferenceLink({ type, reference: written, onFollow }: ReferenceLinkProps) {
  const shown = useReferenceName(written);
  const { reference, display, before } = shown;
  const lead = leadOf(shown, type);
  const name = <ModifiedName name={display === '' ? reference : display} before={before} />;
  const literal = display !== '' && reference !== '' && <span className={styles.literal}>{reference}</span>;
  return (
    <span>
      {lead ? (
        <Tooltip label={lead.hint}>
          <Anchor
            component="button"
            type="button"
            className={styles.link ?? ''}
            onClick={() => onFollow(lead.target)}
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
