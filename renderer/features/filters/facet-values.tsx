import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { FacetEntry } from '../../../core/app/facets.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
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
function ValueButton({ entry, chosen, onToggle, onRule }: ValueButtonProps) {
  const { label, count, pairs, rule } = entry;
  const asked =
    rule === undefined
      ? {
          role: 'checkbox',
          'aria-checked': chosen.some((one) => sameChoice(pairs, one)),
          title: `${label}\n${pairs.map(([, value]) => value.replace(/^\|/, '')).join(' ')}`,
          onClick: () => onToggle(pairs, label),
        }
      : { title: `${label}\n${rule} · ${text.filters.finding}`, onClick: () => onRule(rule) };
  return (
    <button type="button" className={styles.value} {...asked}>
      {rule === undefined && <span className={styles.box} aria-hidden />}
      <span className={styles.label}>{label}</span>
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </button>
  );
}

/** Years that are shown at first. */
const usualYears = 6;

/** Months under their years, the latest first. A period reaches into many months, so a year has no sum of its own. */
function Years({ entries, ...choosing }: Omit<ValuesProps, 'facet'>) {
  const [toggledYears, setToggled] = useState<readonly string[]>([]);
  const toggle = (year: string) =>
    setToggled((former) =>
      former.includes(year) ? former.filter((one) => one !== year) : [...former, year],
    );
  const latestFirst = [...entries].sort((left, right) => (left.label < right.label ? 1 : -1));
  const years = Object.entries(Object.groupBy(latestFirst, ({ label }) => label.slice(0, 4)));
  const [all, setAll] = useState(false);
  const shown = years.reverse().slice(0, all ? years.length : usualYears);
  const left = years.length - shown.length;
  const buttons = shown.map(([year, months = []]) => {
    const holdsChoice = months.some(({ pairs }) => choosing.chosen.some((one) => sameChoice(pairs, one)));
    const open = holdsChoice !== toggledYears.includes(year);
    const Chevron = open ? IconChevronDown : IconChevronRight;
    return (
      <div key={year}>
        <button type="button" className={styles.value} aria-expanded={open} onClick={() => toggle(year)}>
          <Chevron size={14} aria-hidden />
          <span className={styles.label}>{year}</span>
        </button>
        {open && (
          <div className={styles.months}>
            {months.map((entry) => (
              <ValueButton key={entry.label} entry={entry} {...choosing} />
            ))}
          </div>
        )}
      </div>
    );
  });
  return (
    <>
      {buttons}
      {left > 0 && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {text.filters.moreYears(left)}
        </button>
      )}
    </>
  );
}

interface ValuesProps extends Choosing {
  readonly facet: Facet;
  readonly entries: readonly Shown[];
}

/** The values of a facet. */
export function Values({ facet, entries, ...choosing }: ValuesProps) {
  if (facet.kind === 'date') return <Years entries={entries} {...choosing} />;
  return entries.map((entry) => (
    <ValueButton key={entry.rule ?? JSON.stringify(entry.pairs)} entry={entry} {...choosing} />
  ));
}
