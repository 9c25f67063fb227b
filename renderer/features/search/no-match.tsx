import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubjectCount } from '../../../core/app/models.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import { keyOf, queryOf, type Criteria } from './criteria.ts';
import { relaxSearch, type RelaxedSearch } from './relaxed-search.ts';
import { QuickPicks } from './quick-picks.tsx';
import styles from './search.module.css';

interface NoMatchProps {
  readonly criteria: Criteria;
  readonly subjects: readonly SubjectCount[];
  readonly onSearch: (criteria: Criteria) => void;
}

/** Empty result panel: names the missing matches and suggests searches that find something. */
export function NoMatch({ criteria, subjects, onSearch }: NoMatchProps) {
  const suggestions = useSuggestions(criteria);
  return (
    <div className={styles.start}>
      <h2>{text.results.none(criteria.type)}</h2>
      {suggestions?.length === 0 && <p>{hintOf(criteria)}</p>}
      {suggestions?.map(({ reason, relaxedCriteria, total }) => (
        <p key={`${reason} ${relaxedCriteria.type}`} className={styles.offer}>
          <span>{text.results[reason](relaxedCriteria.type, total)}</span>
          <Button onClick={() => onSearch(relaxedCriteria)}>
            {text.results.show(relaxedCriteria.type, total)}
          </Button>
        </p>
      ))}
      <QuickPicks subjects={subjects} type={criteria.type} onSearch={onSearch} />
    </div>
  );
}

function hintOf(criteria: Criteria): string {
  if (criteria.exactPatient || criteria.exactEncounter) return text.results.noneExact;
  return queryOf(criteria).pairs.length === 0 ? text.results.noneYet : text.results.noneHint;
}

/** Returns the relaxed searches that find something; undefined while loading. */
function useSuggestions(
  criteria: Criteria,
): readonly (RelaxedSearch & { readonly total: number })[] | undefined {
  const { name, client } = useConnection();
  const candidates = relaxSearch(criteria);
  const query = useQuery({
    queryKey: ['search-totals', name, keyOf(queryOf(criteria))],
    queryFn: () =>
      Promise.all(
        candidates.map(async (candidate) => {
          const { type, pairs } = queryOf(candidate.relaxedCriteria);
          const { total } = await client.search(type, [...pairs, ['_summary', 'count']]);
          return { ...candidate, total };
        }),
      ),
    retry: false,
  });
  if (query.isError) return [];
  return query.data?.filter(({ total }) => total > 0);
}
