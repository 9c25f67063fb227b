import { useCallback, type ReactNode } from 'react';
import type { Target } from '../../../core/fhir/follow.ts';
import type { Issue } from '../../../core/fhir/judgement.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { text } from '../../ui/text.ts';
import { Inspector } from './inspector/inspector.tsx';
import { IssuesPane } from './inspector/issues-pane.tsx';
import { SummaryPane } from './inspector/summary-pane.tsx';
import type { JudgedWithStore } from './markers/use-store-issues.ts';
import styles from './record.module.css';
import type { InspectorLayout } from './use-inspector.ts';

interface RecordSideProps {
  readonly modelPath: string;
  readonly judged: JudgedWithStore | undefined;
  readonly layout: InspectorLayout;
  /** The record's history, from the app; without it there is no such tab. */
  readonly history: ReactNode;
  readonly onFollow: (target: Target) => void;
  /** Goes to what an issue is about. */
  readonly onGo: (issue: Issue) => void;
  /** Opens the patch composer at an element. */
  readonly onPatch: (pointer: string) => void;
}

/** The inspector of the open record and the edge that sizes it. */
export function RecordSide(props: RecordSideProps) {
  const { modelPath, judged, layout, history, onFollow, onGo, onPatch } = props;
  // Stable, so that a key in a large record does not draw the panes anew.
  const reveal = useCallback((pointer: string) => revealPointer(modelPath, pointer), [modelPath]);
  const unread = judged?.issues.some(({ rule }) => rule === 'json') ?? false;
  return (
    <div className={styles.side} data-place={layout.place}>
      {layout.place !== 'below' && (
        <Splitter label={text.inspector.resize} unit="px" step={16} {...layout.edge} />
      )}
      <Inspector
        layout={layout}
        // No number before the store's findings are among it: it would say less than the worklist.
        issueCount={judged?.store === 'pending' && judged.total === 0 ? undefined : judged?.total}
        panes={{
          summary: (
            <SummaryPane
              key={modelPath}
              card={judged?.card}
              unread={unread}
              onFollow={onFollow}
              onReveal={reveal}
            />
          ),
          issues: <IssuesPane key={modelPath} {...{ modelPath, judged, onGo, onPatch }} onReveal={reveal} />,
          ...(history !== undefined && { history }),
        }}
      />
    </div>
  );
}
