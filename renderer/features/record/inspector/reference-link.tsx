import { Anchor, Tooltip } from '@mantine/core';
import type { CardReference } from '../../../../core/fhir/card/parts.ts';
import { follow, type Target } from '../../../../core/fhir/follow.ts';
import { isResourceType } from '../../../../core/fhir/resource.ts';
import { parsePointer } from '../../../../core/json/pointer.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';

interface ReferenceLinkProps {
  readonly type: string;
  readonly reference: CardReference;
  readonly onFollow: (target: Target) => void;
}

/** A reference by its display; a link where it leads to a record or to a search. */
export function ReferenceLink({ type, reference: shown, onFollow }: ReferenceLinkProps) {
  const { reference, display, pointer } = shown;
  const [element = ''] = parsePointer(pointer) ?? [];
  const target = isResourceType(type) ? follow(reference, element, type) : undefined;
  const name = display === '' ? reference : display;
  const literal = display !== '' && reference !== '' && <span className={styles.literal}>{reference}</span>;
  return (
    <span>
      {target ? (
        <Tooltip label={hintOf(target, reference)}>
          <Anchor
            component="button"
            type="button"
            className={styles.link ?? ''}
            onClick={() => onFollow(target)}
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

function hintOf(target: Target, reference: string): string {
  switch (target.kind) {
    case 'record':
      return text.summary.open(reference);
    case 'contained':
      return text.summary.contained(target.id);
    case 'patient':
      return text.reading.patient(reference);
    case 'search':
      return text.summary.search(reference);
  }
}
