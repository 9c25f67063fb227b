import { Button, Skeleton } from '@mantine/core';
import { useId } from 'react';
import { maxValues, type FacetAnswer } from '../../../core/app/facets.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { moveByArrows } from './arrows.ts';
import styles from './filters.module.css';
import { sameChoice, type Choice } from './narrowing.ts';
import type { useFacet } from './use-facet.ts';
import { Values, type FacetSelection, type FacetOption } from './facet-values.tsx';

interface FacetGroupProps extends FacetSelection {
  readonly facet: Facet;
  readonly name: string;
  readonly query: ReturnType<typeof useFacet>;
  /** Undefined if all values are requested. */
  readonly onMore: (() => void) | undefined;
  /** Returns the label of a selected value. */
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
