import { useState, type ReactNode } from 'react';
import { nameChange } from '../../core/fhir/record-changes.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { Change } from '../../core/json/diff.ts';
import { format } from '../../core/json/print.ts';
import { scan } from '../../core/json/scan.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { text } from '../ui/text.ts';
import styles from './change-list.module.css';
import { placesOf } from './change-words.ts';

/** Letters of a value that are shown before it is opened. */
const shownLength = 240;

/** Changes that are drawn at once. */
const shownChanges = 500;

interface ChangeListProps {
  readonly type: ResourceType;
  readonly changes: readonly Change[];
  /** The name of the list, and its heading. */
  readonly name: string;
  readonly heading?: string;
  readonly onGo: (change: Change) => void;
}

/** The changes of a record, each once: what became of which element, its values, and the way to it. */
export function ChangeList({ type, changes, name, heading, onGo }: ChangeListProps) {
  const [most, setMost] = useState(shownChanges);
  const more = changes.length - most;
  return (
    <section className={styles.changes} aria-label={name}>
      {heading !== undefined && <h2>{heading}</h2>}
      <ol aria-label={name}>
        {changes.slice(0, most).map((change) => (
          <li key={`${change.pointer} ${change.from ?? ''} ${nameChange(change).kind}`}>
            <ChangeItem type={type} change={change} onGo={onGo} />
          </li>
        ))}
        {more > 0 && (
          <li>
            <button type="button" onClick={() => setMost(most + shownChanges)}>
              {text.changes.further(Math.min(more, shownChanges), more)}
            </button>
          </li>
        )}
      </ol>
    </section>
  );
}

interface ChangeItemProps extends Pick<ChangeListProps, 'type' | 'onGo'> {
  readonly change: Change;
}

function ChangeItem({ type, change, onGo }: ChangeItemProps) {
  const { before, after, moved } = change;
  // What a moved element holds differs nowhere: what does is a change of its own.
  const values = moved
    ? []
    : ([
        ['before', before],
        ['after', after],
      ] as const);
  const shown = values.filter(([, value]) => value !== undefined);
  return (
    <>
      <button type="button" onClick={() => onGo(change)}>
        <ChangeHead type={type} change={change} />
        {shown.map(([side, value = '']) => (
          <Value key={side} side={side}>
            {clip(value)}
          </Value>
        ))}
      </button>
      {shown.map(
        ([side, value = '']) => value.length > shownLength && <Whole key={side} side={side} json={value} />,
      )}
    </>
  );
}

/** What became of which element. Its place is told once, and a second time where it was another before. */
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

/** A value that is too long to be read in passing. */
function Whole({ side, json }: Pick<ValueProps, 'side'> & { readonly json: string }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.whole}>
      <LinkButton title={text.review[side]} onClick={() => setOpen(!open)}>
        {open ? text.changes.clipped : text.changes.whole}
      </LinkButton>
      {open && (
        <pre>
          <Value side={side}>{format(scan(json).root)}</Value>
        </pre>
      )}
    </div>
  );
}

function clip(value: string): string {
  return value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
}
