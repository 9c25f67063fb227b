import { Button } from '@mantine/core';
import type { SubjectCount } from '../../../core/app/models.ts';
import { text } from '../../ui/text.ts';
import { QuickPicks } from './quick-picks.tsx';
import type { Criteria } from './search-state.ts';
import styles from './search.module.css';

interface NoMatchProps {
  readonly criteria: Criteria;
  readonly subjects: readonly SubjectCount[];
  readonly onSearch: (criteria: Criteria) => void;
}

/** The empty face of a search: what was not found, and what to try next. */
export function NoMatch({ criteria, subjects, onSearch }: NoMatchProps) {
  const other = criteria.type === 'CarePlan' ? 'Composition' : 'CarePlan';
  return (
    <div className={styles.start}>
      <h2>{text.results.none(criteria)}</h2>
      <p>{text.results.noneHint}</p>
      <div className={styles.buttons}>
        {criteria.encounter !== '' && criteria.patient !== '' && (
          <Button onClick={() => onSearch({ ...criteria, encounter: '' })}>
            {text.results.anyEncounter}
          </Button>
        )}
        {criteria.patient !== '' && (
          <Button onClick={() => onSearch({ ...criteria, type: other })}>
            {text.results.otherType(other)}
          </Button>
        )}
      </div>
      <QuickPicks subjects={subjects} type={criteria.type} onSearch={onSearch} />
    </div>
  );
}
