import { parsePointer } from '../../../core/json/pointer.ts';
import { expressionAt } from '../../../core/fhir/expression.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Change } from '../../../core/json/diff.ts';
import { countOf } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './record.module.css';

const shownLength = 240;

interface ChangeListProps {
  readonly type: ResourceType;
  readonly changes: readonly Change[];
  /** Another client's, as against one's own. */
  readonly theirs?: boolean;
  readonly onGo: (change: Change) => void;
}

/** The changed paths by pointer and FHIR name, each with its old and its new value, and each a way to it. */
export function ChangeList({ type, changes, theirs = false, onGo }: ChangeListProps) {
  const name = theirs ? text.review.theirChanges : text.review.changes;
  const count = countOf(changes.length, 'changed path');
  return (
    <section className={styles.changes} aria-label={name}>
      <h2>{theirs ? text.review.ofTheirs(count) : count}</h2>
      <ol aria-label={name}>
        {changes.map((change) => (
          <li key={`${change.pointer} ${change.from ?? ''} ${change.after === undefined}`}>
            <ChangeButton type={type} change={change} onGo={onGo} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface ChangeButtonProps extends Pick<ChangeListProps, 'type' | 'onGo'> {
  readonly change: Change;
}

function ChangeButton({ type, change, onGo }: ChangeButtonProps) {
  const { pointer, before, after } = change;
  return (
    <button type="button" onClick={() => onGo(change)}>
      <span className={styles.pointer}>{pointer === '' ? '/' : pointer}</span>
      <span className={styles.fhirName}>{expressionAt(type, parsePointer(pointer) ?? [])}</span>
      {before !== undefined && <del title={text.review.before}>{clip(before)}</del>}
      {after !== undefined && <ins title={text.review.after}>{clip(after)}</ins>}
    </button>
  );
}

function clip(value: string): string {
  return value.length > shownLength ? `${value.slice(0, shownLength)}…` : value;
}
