import { useState, type ReactNode } from 'react';
import { nameChange } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { ElementChange } from '../../core/json/diff.ts';
import { formatNode } from '../../core/json/node.ts';
import { scan } from '../../core/json/scan.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { text } from '../ui/text.ts';
import styles from './change-list.module.css';
import { placesOf } from './change-words.ts';

/** Length of a value that is shown without expanding it. */
const maxInlineLength = 240;

/** Number of changes that are rendered at once. */
const changePageSize = 500;

interface ChangeListProps {
  readonly type: ResourceType;
  readonly changes: readonly ElementChange[];
  /** Accessible name and heading of the list. */
  readonly name: string;
  readonly heading?: string;
  readonly onGo: (change: ElementChange) => void;
}

/** List of the changes of a record: kind, element and values. Each change reveals its element. */
export function ChangeList({ type, changes, name, heading, onGo }: ChangeListProps) {
  const [visibleCount, setVisibleCount] = useState(changePageSize);
  const hiddenCount = changes.length - visibleCount;
  return (
    <section className={styles.changes} aria-label={name}>
      {heading !== undefined && <h2>{heading}</h2>}
      <ol aria-label={name}>
        {changes.slice(0, visibleCount).map((change) => (
          <li key={`${change.pointer} ${change.from ?? ''} ${nameChange(change).kind}`}>
            <ChangeItem type={type} change={change} onGo={onGo} />
          </li>
        ))}
        {hiddenCount > 0 && (
          <li>
            <button type="button" onClick={() => setVisibleCount(visibleCount + changePageSize)}>
              {text.changes.further(Math.min(hiddenCount, changePageSize), hiddenCount)}
            </button>
          </li>
        )}
      </ol>
    </section>
  );
}

interface ChangeItemProps extends Pick<ChangeListProps, 'type' | 'onGo'> {
  readonly change: ElementChange;
}

function ChangeItem({ type, change, onGo }: ChangeItemProps) {
  const { before, after, isMoved } = change;
  // The content of a moved element did not change. A change inside it is listed separately.
  const values = isMoved
    ? []
    : ([
        ['before', before],
        ['after', after],
      ] as const);
  const presentValues = values.filter(([, value]) => value !== undefined);
  return (
    <>
      <button type="button" onClick={() => onGo(change)}>
        <ChangeHead type={type} change={change} />
        {presentValues.map(([side, value = '']) => (
          <Value key={side} side={side}>
            {clip(value)}
          </Value>
        ))}
      </button>
      {presentValues.map(
        ([side, value = '']) =>
          value.length > maxInlineLength && <FullValue key={side} side={side} json={value} />,
      )}
    </>
  );
}

/** Kind of a change and its element. The previous location is added if it differs. */
export function ChangeHead({ type, change }: Pick<ChangeItemProps, 'type' | 'change'>) {
  const name = nameChange(change);
  const { kind, title } = name;
  const { place, former } = placesOf(type, name);
  return (
    <span className={styles.head}>
      {kind !== 'changed' && <em>{`${text.changes.kinds[kind]} `}</em>}
      <code>{place}</code>
      {title !== undefined && <q>{title}</q>}
      {former !== undefined && <small>{former}</small>}
    </span>
  );
}

interface ValueProps {
  readonly side: 'before' | 'after';
  readonly children: ReactNode;
}

function Value({ side, children }: ValueProps) {
  const Tag = side === 'before' ? 'del' : 'ins';
  return <Tag title={text.review[side]}>{children}</Tag>;
}

/** A long value that can be expanded. */
function FullValue({ side, json }: Pick<ValueProps, 'side'> & { readonly json: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.whole}>
      <LinkButton title={text.review[side]} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? text.changes.clipped : text.changes.whole}
      </LinkButton>
      {isOpen && (
        <pre>
          <Value side={side}>{formatNode(scan(json).root)}</Value>
        </pre>
      )}
    </div>
  );
}

function clip(value: string): string {
  return value.length > maxInlineLength ? `${value.slice(0, maxInlineLength)}…` : value;
}
