import { Skeleton } from '@mantine/core';
import { memo } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { Target } from '../../../../core/fhir/follow.ts';
import { text } from '../../../ui/text.ts';
import styles from './inspector.module.css';
import { Narrative } from './narrative.tsx';
import { ReferenceLink } from './reference-link.tsx';
import { SummaryDetails } from './summary-facts.tsx';
import { Activities, Go, Part, Sections } from './summary-lists.tsx';

interface SummaryPaneProps {
  /** Undefined before the first validation, or if the text was never JSON. */
  readonly card: RecordCard | undefined;
  /** Line of the first JSON error, if the text has one. */
  readonly faultLine: number | undefined;
  readonly onFollow: (target: Target) => void;
  readonly onReveal: (pointer: string) => void;
}

/** Summary of the open plan or document. */
export const SummaryPane = memo(function SummaryPane(props: SummaryPaneProps) {
  const { card, faultLine, onFollow, onReveal } = props;
  if (!card && faultLine !== undefined)
    return <p className={styles.hint}>{text.inspector.unread(faultLine)}</p>;
  if (!card) return <PaneSkeleton />;
  const { summary } = text;
  return (
    <section className={styles.summary} aria-label={summary.name}>
      <SummaryDetails card={card} onFollow={onFollow} />
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

/** Placeholder of a pane that is loading. */
export function PaneSkeleton() {
  return (
    <div className={styles.skeleton} role="img" aria-label={text.inspector.judging} aria-busy="true">
      {[60, 40, 75, 50, 65, 35].map((width) => (
        <Skeleton key={width} height={10} width={`${width}%`} />
      ))}
    </div>
  );
}
