import type { CardReference } from '../../../core/fhir/card/parts.ts';
import { parseReference } from '../../../core/fhir/reference.ts';
import { useReferenceName } from '../../platform/reference-names.ts';
import { leadOf } from '../../platform/references.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { ModifiedName } from '../../ui/modified-name.tsx';
import { text } from '../../ui/text.ts';
import { useReadingParts } from './reading-context.ts';
import styles from './reading.module.css';

/** A reference by what it is called and the type that it names; a link to its record, or to a card of what is none. */
export function ReferenceText({ reference: written }: { readonly reference: CardReference }) {
  const shown = useReferenceName(written);
  const { reference, display, before, pointer } = shown;
  const { type, onFollow, onCard } = useReadingParts();
  const lead = leadOf(shown, type);
  const parsed = reference === '' ? undefined : parseReference(reference);
  const kind = parsed?.type;
  const name = display || (parsed ? shortened(parsed.id) : reference) || text.reading.entry;
  const words = (
    <>
      {kind !== undefined && /^[A-Z]/.test(kind) && before === undefined && (
        <span className={styles.kind}>{`${kind} `}</span>
      )}
      <ModifiedName name={name} before={before} />
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
          {words}
        </LinkButton>
      ) : (
        words
      )}
    </span>
  );
}

/** References one after the other; a comma would not tell names apart that hold one. */
export function References({ list }: { readonly list: readonly CardReference[] }) {
  return (
    <span className={styles.references}>
      {list.map((one) => (
        <ReferenceText key={one.pointer} reference={one} />
      ))}
    </span>
  );
}

const longest = 24;

/** An id without its middle: its two ends tell it from others. */
function shortened(id: string): string {
  return id.length <= longest ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
