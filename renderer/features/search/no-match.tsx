import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SubjectCount } from '../../../core/app/models.ts';
import { useConnection } from '../../platform/connection.ts';
import { text } from '../../ui/text.ts';
import { keyOf, queryOf, type Criteria } from './criteria.ts';
import { scopeOf } from './describe.ts';
import { loosened, type Looser } from './loosened.ts';
import { QuickPicks } from './quick-picks.tsx';
import styles from './search.module.css';

interface NoMatchProps {
  readonly criteria: Criteria;
  readonly subjects: readonly SubjectCount[];
  readonly onSearch: (criteria: Criteria) => void;
}

/** The empty face of a search: what was not found, and where there is something instead. */
export function NoMatch({ criteria, subjects, onSearch }: NoMatchProps) {
  const offers = useOffers(criteria);
  return (
    <div className={styles.start}>
      <h2>{text.results.none(criteria.type, scopeOf(criteria))}</h2>
      {offers?.length === 0 && <p>{hintOf(criteria)}</p>}
      {offers?.map(({ reason, criteria: looser, total }) => (
        <p key={`${reason} ${looser.type}`} className={styles.offer}>
          <span>{text.results[reason](looser.type, total)}</span>
          <Button onClick={() => onSearch(looser)}>{text.results.show(looser.type, total)}</Button>
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

/** The looser searches that find something; undefined until that is known. */
function useOffers(criteria: Criteria): readonly (Looser & { readonly total: number })[] | undefined {
  const { name, client } = useConnection();
  const candidates = loosened(criteria);
  const query = useQuery({
    queryKey: ['search-totals', name, keyOf(queryOf(criteria))],
    queryFn: () =>
      Promise.all(
        candidates.map(async (candidate) => {
          const { type, pairs } = queryOf(candidate.criteria);
          const { total } = await client.search(type, [...pairs, ['_summary', 'count']]);
          return { ...candidate, total };
        }),
      ),
    retry: false,
  });
  if (query.isError) return [];
  return query.data?.filter(({ total }) => total > 0);
}
