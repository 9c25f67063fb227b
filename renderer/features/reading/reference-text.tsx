import type { CardReference } from '../../../core/fhir/card/parts.ts';
import { parseReference } from '../../../core/fhir/reference.ts';
import { useReferenceName } from '../../platform/reference-names.ts';
import { leadOf } from '../../platform/references.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { text } from '../../ui/text.ts';
import { useReadingContext } from './reading-context.ts';
import styles from './reading.module.css';

/** A reference by its type and name. Links to its record, or opens a card of any other resource. */
export function ReferenceText({ reference: originalReference }: { readonly reference: CardReference }) {
  const namedReference = useReferenceName(originalReference);
  const { reference, display, negation, pointer } = namedReference;
  const { type, onFollow, onCard } = useReadingContext();
  const lead = leadOf(namedReference, type);
  const parsed = reference === '' ? undefined : parseReference(reference);
  const kind = parsed?.type;
  const name = display || (parsed ? shortenId(parsed.id) : reference) || text.reading.entry;
  const content = (
    <>
      {kind !== undefined && /^[A-Z]/.test(kind) && negation === undefined && (
        <span className={styles.kind}>{`${kind} `}</span>
      )}
      <ModifiedName name={name} negation={negation} />
    </>
  );
  const hasCard = parsed?.base !== '#' && (kind !== undefined || parsed?.base !== undefined);
  const open =
    lead && (lead.target.kind !== 'search' || !hasCard)
      ? { hint: lead.hint, onClick: () => onFollow(lead.target) }
      : hasCard
        ? {
            hint: text.card.show(reference),
            onClick: () => onCard({ reference, display, target: lead?.target }),
          }
        : undefined;
  return (
    <span className={styles.reference} data-pointer={pointer} title={reference}>
      {open ? (
        <LinkButton title={open.hint} onClick={open.onClick}>
          {content}
        </LinkButton>
      ) : (
        content
      )}
    </span>
  );
}

/** List of references. Not separated by commas, because names may contain commas. */
export function References({ references }: { readonly references: readonly CardReference[] }) {
  return (
    <span className={styles.references}>
      {references.map((reference) => (
        <ReferenceText key={reference.pointer} reference={reference} />
      ))}
    </span>
  );
}

const maxIdLength = 24;

/** Shortens an ID in its middle, because its ends distinguish it. */
function shortenId(id: string): string {
  return id.length <= maxIdLength ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
