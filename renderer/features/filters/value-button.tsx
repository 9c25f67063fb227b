import type { FacetEntry } from '../../../core/app/facets.ts';
import { formatCount } from '../../ui/format.ts';
import { text } from '../../ui/text.ts';
import styles from './filters.module.css';
import { sameChoice, type Choice } from './narrowing.ts';

/** An entry; without a count where the server did not tell it. */
export type Shown = Omit<FacetEntry, 'count' | 'pairs'> & { readonly count?: number; readonly pairs: Choice };

/** What is chosen of a facet, and what a click does. */
export interface Choosing {
  readonly chosen: readonly Choice[];
  readonly onToggle: (choice: Choice, label: string) => void;
  readonly onRule: (rule: string) => void;
}

interface ValueButtonProps extends Choosing {
  readonly entry: Shown;
}

/** A value: a click narrows the search to it, or opens the worklist where it is a rule. */
export function ValueButton({ entry, chosen, onToggle, onRule }: ValueButtonProps) {
  const { label, count, pairs, rule } = entry;
  const face = (
    <>
      <span className={styles.label}>{label}</span>
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </>
  );
  if (rule !== undefined) {
    return (
      <button
        type="button"
        className={styles.value}
        title={`${label}\n${rule} · ${text.filters.finding}`}
        onClick={() => onRule(rule)}
      >
        {face}
      </button>
    );
  }
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={chosen.some((one) => sameChoice(pairs, one))}
      className={styles.value}
      title={`${label}\n${pairs.map(([, value]) => value.replace(/^\|/, '')).join(' ')}`}
      onClick={() => onToggle(pairs, label)}
    >
      <span className={styles.box} aria-hidden />
      {face}
    </button>
  );
}
