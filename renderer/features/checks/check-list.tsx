import type { StewardCheck } from '../../../core/app/checks.ts';
import { text } from '../../ui/text.ts';
import styles from './checks.module.css';

const words = text.checks;

interface CheckListProps {
  readonly checks: readonly StewardCheck[];
  /** Id of the one that is shown; empty for a new one. */
  readonly chosen: string;
  /** Ids of those that are not saved; empty for a new one. */
  readonly unsaved: readonly string[];
  readonly onChoose: (id: string) => void;
}

/** The checks with how each stands. */
export function CheckList({ checks, chosen, unsaved, onChoose }: CheckListProps) {
  return (
    <ul className={styles.list} aria-label={words.list}>
      {checks.map((check) => (
        <li key={check.id}>
          <button
            type="button"
            aria-current={check.id === chosen || undefined}
            onClick={() => onChoose(check.id)}
          >
            <span>{check.title}</span>
            <small>
              {unsaved.includes(check.id) && <b>{words.unsaved} · </b>}
              {standOf(check).join(' · ')}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How a check stands, in a few words each. */
export function standOf({ active, progress }: StewardCheck): readonly string[] {
  if (!active) return [words.states.off];
  if (!progress) return [words.states.waits];
  const { done, total, halted, violated, applied, skipped } = progress;
  return [
    done < total ? words.running(done, total) : words.states.on,
    ...(halted ? [words.halted] : [words.counts(violated, applied)]),
    ...(skipped > 0 && !halted ? [words.skipped(skipped)] : []),
  ];
}
