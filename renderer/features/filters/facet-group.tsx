import { Button, Skeleton } from '@mantine/core';
import { useId } from 'react';
import { mostValues, type FacetAnswer } from '../../../core/app/facets.ts';
import type { Facet } from '../../../core/fhir/facet.ts';
import { toFailure } from '../../ui/failure.ts';
import { text } from '../../ui/text.ts';
import { moveByArrows } from './arrows.ts';
import styles from './filters.module.css';
import { sameChoice, type Choice } from './narrowing.ts';
import type { useFacet } from './use-facet.ts';
import { Values, type Choosing, type Shown } from './facet-values.tsx';

interface FacetGroupProps extends Choosing {
  readonly facet: Facet;
  readonly query: ReturnType<typeof useFacet>;
  /** Absent where all are asked for. */
  readonly onMore: (() => void) | undefined;
  /** What a chosen value is called. */
  readonly nameOf: (choice: Choice) => string;
}

/** The values of one facet with their counts; nothing where no record says any. */
export function FacetGroup({ facet, query, onMore, nameOf, ...choosing }: FacetGroupProps) {
  const heading = useId();
  const { data, error, isPlaceholderData } = query;
  const name = text.filters.facet(facet.name);
  const entries = data && withChosen(data, choosing.chosen, nameOf);
  if (entries?.length === 0 && !error) return null;
  const left = data ? data.total - data.values.length : 0;
  return (
    <section className={styles.facet}>
      <h3>
        <span id={heading}>{name}</span>
        {/* The numbers beneath are still those of the search before. */}
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
          {left > 0 && onMore && (
            <button
              type="button"
              className={styles.more}
              aria-label={text.filters.more(name)}
              onClick={onMore}
            >
              {text.filters.moreShort(Math.min(left, mostValues - (data?.values.length ?? 0)))}
            </button>
          )}
          {left > 0 && !onMore && facet.kind !== 'date' && (
            <p className={styles.unshown}>{text.filters.unshown(left)}</p>
          )}
        </div>
      )}
    </section>
  );
}

/** What is chosen stays in sight, though no match has it or others are more frequent. */
function withChosen(
  { values, total }: FacetAnswer,
  chosen: readonly Choice[],
  nameOf: FacetGroupProps['nameOf'],
): readonly Shown[] {
  const missing = chosen.filter((one) => !values.some(({ pairs }) => sameChoice(pairs, one)));
  return [
    ...values,
    ...missing.map((pairs): Shown => ({
      label: nameOf(pairs),
      pairs,
      ...(total === values.length && { count: 0 }),
    })),
  ];
}
