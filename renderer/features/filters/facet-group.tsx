import { Button, Skeleton } from '@mantine/core';
import { useId, useState } from 'react';
import { maxValues, type FacetAnswer, type FacetEntry } from '../../../core/app/facets.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { moveByArrows } from './arrows.ts';
import styles from './filters.module.css';
import { sameChoice, type Choice } from './narrowing.ts';
import type { useFacet } from './use-facet.ts';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { formatCount } from '../../ui/format.ts';

interface FacetGroupProps extends FacetSelection {
  readonly facet: Facet;
  readonly name: string;
  readonly query: ReturnType<typeof useFacet>;
  /** Undefined if all values are requested. */
  readonly onMore: (() => void) | undefined;
  readonly nameOf: (choice: Choice) => string;
}

/** Values of one facet with their counts. Renders nothing if no record has a value. */
export function FacetGroup({ facet, name, query, onMore, nameOf, ...choosing }: FacetGroupProps) {
  const heading = useId();
  const { data, error, isPlaceholderData } = query;
  const entries = data && addSelected(data, choosing.selected, nameOf);
  if (entries?.length === 0 && !error) return null;
  const remainingCount = data ? data.total - data.values.length : 0;
  const nextCount = Math.min(remainingCount, maxValues - (data?.values.length ?? 0));
  return (
    <section className={styles.facet}>
      <h3>
        <span id={heading}>{name}</span>
        {/* The counts below still belong to the previous search. */}
        {isPlaceholderData && <small className={styles.counting}>{text.filters.countingShort}</small>}
      </h3>
      {error ? (
        <div role="alert" className={styles.failed}>
          {[text.filters.failed(name), ...toFailure(error).sentences].join(' ')}
          <Button onClick={() => void query.refetch()}>{text.failure.retry}</Button>
        </div>
      ) : (
        <div
          role="group"
          aria-labelledby={heading}
          aria-busy={!data || isPlaceholderData}
          className={styles.values}
          onKeyDown={moveByArrows}
        >
          {entries ? (
            <Values facet={facet} entries={entries} {...choosing} />
          ) : (
            <div role="img" aria-label={text.filters.counting(name)}>
              {[76, 60, 68].map((width) => (
                <Skeleton key={width} height={10} width={`${width}%`} my={8} />
              ))}
            </div>
          )}
          {remainingCount > 0 && onMore && (
            <button
              type="button"
              className={styles.more}
              aria-label={text.filters.more(nextCount, name)}
              onClick={onMore}
            >
              {text.filters.moreShort(nextCount)}
            </button>
          )}
          {remainingCount > 0 && !onMore && facet.kind !== 'date' && (
            <p className={styles.unshown}>{text.filters.unshown(remainingCount)}</p>
          )}
        </div>
      )}
    </section>
  );
}

/** Adds selected values that no match has or that are less frequent. */
function addSelected(
  { values, total }: FacetAnswer,
  selected: readonly Choice[],
  nameOf: FacetGroupProps['nameOf'],
): readonly FacetOption[] {
  const missing = selected.filter((choice) => !values.some(({ pairs }) => sameChoice(pairs, choice)));
  return [
    ...values,
    ...missing.map((pairs): FacetOption => ({
      label: nameOf(pairs),
      pairs,
      ...(total === values.length && { count: 0 }),
    })),
  ];
}

/** An entry of a facet; `count` is undefined if the server did not return it. */
type FacetOption = Omit<FacetEntry, 'count' | 'pairs'> & {
  readonly count?: number;
  readonly pairs: Choice;
};

/** Selected values of a facet, with callbacks for clicks. */
interface FacetSelection {
  readonly selected: readonly Choice[];
  readonly onToggle: (choice: Choice, label: string) => void;
  readonly onRule: (rule: string) => void;
}

interface ValueButtonProps extends FacetSelection {
  readonly entry: FacetOption;
}

/** Button of a value. A click filters by the value, or opens the worklist for a rule. */
function ValueButton({ entry, selected, onToggle, onRule }: ValueButtonProps) {
  const { label, count, pairs, rule } = entry;
  const buttonProps =
    rule === undefined
      ? {
          role: 'checkbox',
          'aria-checked': selected.some((choice) => sameChoice(pairs, choice)),
          title: `${label}\n${pairs.map(([, value]) => value.replace(/^\|/, '')).join(' ')}`,
          onClick: () => onToggle(pairs, label),
        }
      : { title: `${label}\n${rule} · ${text.filters.finding}`, onClick: () => onRule(rule) };
  return (
    <button type="button" className={styles.value} {...buttonProps}>
      {rule === undefined && <span className={styles.box} aria-hidden />}
      <span className={styles.label}>{label}</span>
      {count !== undefined && <span className={styles.count}>{formatCount(count)}</span>}
    </button>
  );
}

/** Number of initially visible years. */
const defaultYears = 6;

/** Months by year, latest first. Years have no sum, because a period counts in several months. */
function Years({ entries, ...choosing }: Omit<ValuesProps, 'facet'>) {
  const [toggledYears, setToggled] = useState<readonly string[]>([]);
  const toggle = (year: string) =>
    setToggled((openYears) =>
      openYears.includes(year) ? openYears.filter((openYear) => openYear !== year) : [...openYears, year],
    );
  const latestFirst = [...entries].sort((a, b) => (a.label < b.label ? 1 : -1));
  const years = Object.entries(Object.groupBy(latestFirst, ({ label }) => label.slice(0, 4)));
  const [showsAll, setShowsAll] = useState(false);
  const visibleYears = years.reverse().slice(0, showsAll ? years.length : defaultYears);
  const remainingCount = years.length - visibleYears.length;
  const buttons = visibleYears.map(([year, months = []]) => {
    const hasSelection = months.some(({ pairs }) =>
      choosing.selected.some((choice) => sameChoice(pairs, choice)),
    );
    const isOpen = hasSelection !== toggledYears.includes(year);
    const Chevron = isOpen ? IconChevronDown : IconChevronRight;
    return (
      <div key={year}>
        <button type="button" className={styles.value} aria-expanded={isOpen} onClick={() => toggle(year)}>
          <Chevron size={14} aria-hidden />
          <span className={styles.label}>{year}</span>
        </button>
        {isOpen && (
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
      {remainingCount > 0 && (
        <button type="button" className={styles.more} onClick={() => setShowsAll(true)}>
          {text.filters.moreYears(remainingCount)}
        </button>
      )}
    </>
  );
}

interface ValuesProps extends FacetSelection {
  readonly facet: Facet;
  readonly entries: readonly FacetOption[];
}

function Values({ facet, entries, ...choosing }: ValuesProps) {
  if (facet.kind === 'date') return <Years entries={entries} {...choosing} />;
  return entries.map((entry) => (
    <ValueButton key={entry.rule ?? JSON.stringify(entry.pairs)} entry={entry} {...choosing} />
  ));
}
