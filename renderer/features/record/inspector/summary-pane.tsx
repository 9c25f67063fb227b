import { Skeleton } from '@mantine/core';
import { memo } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';
import { Narrative } from './narrative.tsx';
import { ReferenceLink } from './reference-link.tsx';
import { SummaryFacts } from './summary-facts.tsx';
import { Activities, Go, Part, Sections } from './summary-lists.tsx';

interface SummaryPaneProps {
  /** Undefined while the record is judged for the first time, or where its text was never JSON. */
  readonly card: RecordCard | undefined;
  /** Whether there is a text that cannot be read. */
  readonly unread: boolean;
  readonly onFollow: (target: Target) => void;
  readonly onReveal: (pointer: string) => void;
}

/** What a person wants to know of the plan or document in front. */
export const SummaryPane = memo(function SummaryPane({ card, unread, onFollow, onReveal }: SummaryPaneProps) {
  if (!card) return unread ? <p className={styles.hint}>{text.inspector.unread}</p> : <PaneSkeleton />;
  const { summary } = text;
  return (
    <section className={styles.summary} aria-label={summary.name}>
      <SummaryFacts card={card} onFollow={onFollow} />
      {card.description !== '' && (
        <Part title={summary.description}>
          <p>{card.description}</p>
        </Part>
      )}
      <Part title={summary.goals} count={card.goals.length}>
        <ul className={styles.list2}>
          {card.goals.map((goal) => (
            <li key={goal.pointer}>
              <ReferenceLink type={card.type} reference={goal} onFollow={onFollow} />
            </li>
          ))}
        </ul>
      </Part>
      <Part title={summary.activities} count={card.activities.length}>
        <Activities list={card.activities} onReveal={onReveal} />
      </Part>
      <Part title={summary.sections} count={card.sections.length}>
        <Sections list={card.sections} onReveal={onReveal} />
      </Part>
      <Part title={summary.notes} count={card.notes.length}>
        <ul className={styles.list2}>
          {card.notes.map((note) => (
            <li key={note.pointer}>
              <Go pointer={note.pointer} onReveal={onReveal}>
                {note.text}
              </Go>
            </li>
          ))}
        </ul>
      </Part>
      {card.narrative !== '' && (
        <Part title={summary.narrative}>
          <Narrative xhtml={card.narrative} onShow={() => onReveal('/text/div')} />
        </Part>
      )}
    </section>
  );
});

/** The loading face of a pane. */
export function PaneSkeleton() {
  return (
    <div className={styles.skeleton} role="img" aria-label={text.inspector.judging} aria-busy="true">
      {[60, 40, 75, 50, 65, 35].map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} />
      ))}
    </div>
  );
}
