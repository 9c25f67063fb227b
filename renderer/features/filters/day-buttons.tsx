import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { moveByArrows } from './arrows.ts';
import { hasChoice, dayGroups, withDay } from './days.ts';
import styles from './filters.module.css';

interface DayButtonsProps {
  readonly type: ResourceType;
  readonly pairs: readonly Pair[];
  readonly onPairs: (pairs: readonly Pair[]) => void;
}

/** Day filters without counts, so that users need no date comparisons. */
export function DayButtons({ type, pairs, onPairs }: DayButtonsProps) {
  return dayGroups(type).map((group) => (
    <section key={group.name} className={styles.facet}>
      <h3 aria-hidden>{group.name}</h3>
      <div role="group" aria-label={group.name} className={styles.days} onKeyDown={moveByArrows}>
        {group.choices.map((choice) => (
          <button
            key={choice.label}
            type="button"
            className={styles.day}
            aria-pressed={hasChoice(pairs, choice)}
            title={choice.pair.join(' ')}
            onClick={() => onPairs(withDay(pairs, group, choice))}
          >
            {choice.label}
          </button>
        ))}
      </div>
    </section>
  ));
}
