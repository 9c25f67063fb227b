import { useMemo, useState, type CSSProperties, type ReactNode } from 'react';
import type { Issue } from '../../../core/fhir/judgement.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import type { ReadingSlot } from '../../platform/reading-slot.ts';
import { showPointer } from '../../platform/reveal-pointer.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import frame from '../../ui/view.module.css';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { FoundNotice } from './found-notice.tsx';
import { RecordEditor } from './record-editor.tsx';
import { RecordHeader } from './record-header.tsx';
import { RecordSide } from './record-side.tsx';
import { isUnderReview } from './record-state.ts';
import styles from './record.module.css';
import { ReviewSheet } from './review-sheet.tsx';
import { useOpenRecord, type OpenRecord, type OpenRecordProps } from './use-open-record.ts';
import { useRecordActions, type RecordWays } from './use-record-actions.ts';
import { useRecordCommands } from './use-record-commands.ts';
import { panelOf, ViewTabs } from './view-tabs.tsx';

interface RecordPanelProps extends OpenRecordProps, RecordWays {
  /** Shows two versions beside each other. */
  readonly onCompare: (older: number, newer: number) => void;
  /** The record's history, for the inspector's tab of that name. */
  readonly history?: ReactNode;
  /** Lays the record out for a reader; without it, its JSON alone is shown. */
  readonly reading?: ReadingSlot;
}

const noIssues: readonly Issue[] = [];

/** Milliseconds that a record which comes at once may take. */
const soon = 100;

/** The open record: header, editor, and the review sheet over them when it is wanted. */
export function RecordPanel(props: RecordPanelProps) {
  const { target, io, front, reading } = props;
  const { state, modelPath } = target;
  const { type, id, base, phase } = state;
  const open = useOpenRecord(props, reading !== undefined);
  const { editor, views } = open;
  const { actions, readOnly, patchAt } = useRecordActions(props, open);
  const onEditor = useStable((action: string) => {
    views.callJson();
    editor?.focus();
    editor?.trigger('command', action, null);
  });
  const [prints, setPrints] = useState(0);
  const print = views.view === 'json' ? text.record.refusal.notRead : () => setPrints(prints + 1);
  useRecordCommands(front, { target, actions, print, onEditor });
  // As against one that never was (FHIR R4 http.html#delete).
  const deleted = phase.name === 'unreadable' && phase.failure.status === 410;
  // A record that comes soon is drawn once, with what stands beside it.
  const wait = phase.name === 'loading' ? soon : 0;
  const side = useAfterPaint(useSide(props, open, patchAt), wait);
  const page = useAfterPaint(usePage(props, open, prints), wait);
  return (
    <div className={styles.panel}>
      <RecordHeader
        {...{ type, id, base, modelPath, readOnly, onEditor }}
        views={useMemo(() => reading && <ViewTabs {...views} />, [reading, views])}
        // The buttons follow the text: a key, or a record that comes, is seen without them.
        actions={useAfterPaint(actions, wait)}
      />
      <DraftNotice key={modelPath} target={target} />
      <FoundNotice target={target} io={io} onCompare={props.onCompare} />
      {phase.name === 'unreadable' && (
        <div className={frame.padded}>
          <FailureMessage
            title={deleted ? text.record.deletedTitle : text.record.unreadableTitle}
            failure={phase.failure}
            {...(!deleted && { onRetry: () => void io.read(target) })}
          />
        </div>
      )}
      <Body {...{ target, open, side, page }} tabbed={reading !== undefined} />
      {base && isUnderReview(phase) && <ReviewSheet target={target} base={base} io={io} />}
    </div>
  );
}

/** The inspector, drawn anew only where what it shows changes. */
function useSide(
  { target, history }: RecordPanelProps,
  open: OpenRecord,
  onPatch: (pointer: string) => void,
) {
  const { modelPath } = target;
  const { judged, layout, follow, goTo } = open;
  return useMemo(
    () => <RecordSide {...{ modelPath, judged, layout, history, onPatch }} onFollow={follow} onGo={goTo} />,
    [modelPath, judged, layout, history, follow, goTo, onPatch],
  );
}

/** The record laid out for a reader, likewise. */
function usePage(
  { target: { state, modelPath }, reading }: RecordPanelProps,
  open: OpenRecord,
  prints: number,
) {
  const { editor, views, judged, tokens, follow: onFollow, goTo: onGo } = open;
  const { type, base } = state;
  const onReveal = useStable((pointer: string) => {
    if (editor && views.view === 'both') showPointer(editor, pointer);
  });
  const issues = judged?.issues ?? noIssues;
  const cursor = formatPointer(tokens);
  const read = base && state.text;
  return useMemo(
    () => reading?.({ modelPath, type, text: read, issues, cursor, prints, onReveal, onGo, onFollow }),
    [reading, modelPath, type, read, issues, cursor, prints, onReveal, onGo, onFollow],
  );
}

interface BodyProps extends Pick<RecordPanelProps, 'target'> {
  readonly open: OpenRecord;
  readonly side: ReactNode;
  readonly page: ReactNode;
  /** Whether there are tabs to choose what is shown by. */
  readonly tabbed: boolean;
}

/** The text, the record laid out for a reader, and the inspector, as there is room for them. */
function Body({ target, open, side, page, tabbed }: BodyProps) {
  const { editor, setEditor, views, layout, tokens } = open;
  const { view, edge } = views;
  const inspector = layout.shown && target.state.phase.name !== 'unreadable' && side;
  return (
    <div
      className={styles.body}
      data-view={view}
      style={{ '--reading-share': edge.value } as CSSProperties}
      {...(tabbed && panelOf(view))}
    >
      <RecordEditor {...{ target, layout, editor, tokens }} hidden={view === 'read'} onReady={setEditor} />
      {view === 'both' && <Splitter label={text.recordViews.resize} unit="%" step={2} {...edge} />}
      {view !== 'json' && (
        <div className={styles.column}>
          {page}
          {layout.place === 'below' && inspector}
        </div>
      )}
      {layout.place !== 'below' && inspector}
    </div>
  );
}
