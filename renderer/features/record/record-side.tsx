import { useCallback, type ReactNode } from 'react';
import type { Target } from '../../../core/fhir/follow.ts';
import type { Issue } from '../../../core/fhir/text-validation.ts';
import { positionAt } from '../../../core/json/json-problem.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { text } from '../../ui/text.ts';
import { Inspector } from './inspector/inspector.tsx';
import { IssuesPane } from './inspector/issues-pane.tsx';
import { SummaryPane } from './inspector/summary-pane.tsx';
import type { ValidationWithStore } from './markers/use-store-issues.ts';
import styles from './record.module.css';
import type { InspectorLayout } from './use-inspector.ts';

interface RecordSideProps {
  readonly modelPath: string;
  readonly validation: ValidationWithStore | undefined;
  readonly layout: InspectorLayout;
  /** History pane from the app. Without it, there is no history tab. */
  readonly history: ReactNode;
  readonly onFollow: (target: Target) => void;
  /** Reveals the element of an issue. */
  readonly onGo: (issue: Issue) => void;
  /** Opens the patch composer at an element. */
  readonly onPatch: (pointer: string) => void;
}

/** The inspector of the open record and its splitter. */
export function RecordSide(props: RecordSideProps) {
  const { modelPath, validation, layout, history, onFollow, onGo, onPatch } = props;
  // Stable, so that a key in a large record does not render the panes again.
  const reveal = useCallback((pointer: string) => revealPointer(modelPath, pointer), [modelPath]);
  const syntaxIssue = validation?.issues.find(({ rule }) => rule === 'json');
  const faultLine = validation && syntaxIssue && positionAt(validation.text, syntaxIssue.start).line;
  return (
    <div className={styles.side} data-place={layout.position}>
      {layout.position !== 'below' && (
        <Splitter label={text.inspector.resize} unit="px" step={16} {...layout.panel} />
      )}
      <Inspector
        layout={layout}
        // No count before the store's findings arrived: it would be lower than in the worklist.
        issueCount={validation?.store === 'pending' && validation.total === 0 ? undefined : validation?.total}
        panes={{
          summary: (
            <SummaryPane
              key={modelPath}
              card={validation?.card}
              faultLine={faultLine}
              onFollow={onFollow}
              onReveal={reveal}
            />
          ),
          issues: (
            <IssuesPane
              key={modelPath}
              modelPath={modelPath}
              validation={validation}
              onGo={onGo}
              onPatch={onPatch}
              onReveal={reveal}
            />
          ),
          ...(history !== undefined && { history }),
        }}
      />
    </div>
  );
}
