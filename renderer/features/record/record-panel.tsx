import { useEffect, useMemo, useState, type CSSProperties, type ReactNode } from 'react';
import type { Issue } from '../../../core/fhir/judgement.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import { isUnstored } from '../../../core/fhir/new-record.ts';
import { useProfileDigests } from '../../platform/profile-digests.ts';
import { useConnection } from '../../platform/connection.ts';
import { showPointer } from '../../platform/reveal-pointer.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { useCursorPath } from './crumbs/use-cursor-path.ts';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { FoundNotice } from './found-notice.tsx';
import { isDeleted } from './gone.ts';
import { formatRecord } from './format-record.ts';
import type { EditorHandle } from './json-editor.tsx';
import { useJudgement } from './markers/use-judgement.ts';
import { useProfileIssues } from './markers/use-profile-issues.ts';
import { useMarks } from './markers/use-marks.ts';
import type { ReadingSlot } from './reading-slot.ts';
import { refusals, type RecordActions, type RecordRuns } from './record-actions.ts';
import { RecordEditor } from './record-editor.tsx';
import { RecordHeader } from './record-header.tsx';
import { RecordSide } from './record-side.tsx';
import { isUnderReview } from './record-state.ts';
import { revealIssue } from './reveal-issue.ts';
import { ReviewSheet } from './review-sheet.tsx';
import styles from './record.module.css';
import { composable } from './review/save-request.ts';
import { useFollow } from './use-follow.ts';
import { readingShare } from './reading-share.ts';
import { useInspector } from './use-inspector.ts';
import { useRecordCommands } from './use-record-commands.ts';
import { useRecordView } from './use-record-view.ts';
import { usePatchKey } from './use-patch-key.ts';
import { useReferenceKeys } from './use-reference-keys.ts';
import { useStanding } from './use-standing.ts';
import { panelOf, ViewTabs } from './view-tabs.tsx';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface RecordPanelProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
  readonly front: boolean;
  /** Whether something lies over the panel. */
  readonly covered?: boolean;
  /** `path` is that of the element at the cursor. */
  readonly onPatch: (path: string) => void;
  readonly onReload: () => void;
  readonly onDiscard: () => void;
  readonly onHistory: () => void;
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
  const {
    target,
    io,
    front,
    covered = false,
    onPatch,
    onReload,
    onDiscard,
    onHistory,
    onCompare,
    history,
    reading,
  } = props;
  const { state, modelPath, dispatch } = target;
  const { base, phase } = state;
  const [editor, setEditor] = useState<EditorHandle>();
  const hasText = base !== undefined;
  const announce = useAnnounce();
  const views = useRecordView(modelPath, editor, reading !== undefined && phase.name !== 'unreadable');
  const { view, callJson } = views;
  const layout = useInspector(views.inspector, modelPath);
  const tokens = useCursorPath(editor, modelPath);
  const follow = useFollow(modelPath);
  const judged = useProfileIssues(
    state.type,
    useJudgement({
      modelPath,
      type: state.type,
      text: state.text,
      base: base?.text,
      inSight: editor !== undefined,
    }),
  );
  useProfileDigests(modelPath, state.type, judged?.text);
  useMarks(judged, editor);
  useReferenceKeys(editor, follow);
  usePatchKey(editor);
  useStanding(front, target, io);

  const broken = phase.name === 'invalid';
  useEffect(() => {
    if (!broken) return undefined;
    // What was said of the fault is no longer so.
    return () => announce('');
  }, [broken, announce]);

  const ready = front && !covered && hasText && !isUnderReview(phase);
  useEffect(() => {
    if (!ready) return undefined;
    // In the frame itself, as what takes the focus is laid out first.
    const frame = requestAnimationFrame(() => {
      if (isFocusLost()) editor?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, editor, modelPath]);

  const { remote } = useConnection();
  const readOnly = remote?.mode === 'read-only' ? remote.name : undefined;
  /** Opens the composer at an element, with the operations of an edit. */
  const patchAt = (pointer: string) => {
    const edit = composable(state);
    // An edit that replace operations cannot say is saved whole.
    if ('refusal' in edit && edit.refusal !== undefined) announce(edit.refusal);
    else onPatch(pointer);
  };
  const refused = refusals(phase, { hasText, unstored: isUnstored(state.id), readOnly });
  const patchIssue = useStable((pointer: string) => {
    if (refused.patch === undefined) patchAt(pointer);
    else announce(refused.patch);
  });
  const actions = useActions(refused, {
    format: () => {
      formatRecord(target);
      editor?.focus();
    },
    reload: onReload,
    discard: onDiscard,
    patch: () => patchAt(formatPointer(tokens)),
    history: onHistory,
    review: () => {
      announce('');
      dispatch({ type: 'review' });
    },
  });
  const onEditor = useStable((action: string) => {
    callJson();
    editor?.focus();
    editor?.trigger('command', action, null);
  });
  const [prints, setPrints] = useState(0);
  const print = view === 'json' ? text.record.refusal.notRead : () => setPrints(prints + 1);
  useRecordCommands(front, { target, actions, print, onEditor });

  // A record that comes soon is drawn once, with what stands beside it.
  const wait = phase.name === 'loading' ? soon : 0;
  const side = useAfterPaint(
    useMemo(
      () => <RecordSide {...{ modelPath, judged, layout, history }} onFollow={follow} onPatch={patchIssue} />,
      [modelPath, judged, layout, history, follow, patchIssue],
    ),
    wait,
  );

  const onReveal = useStable((pointer: string) => {
    if (editor && view === 'both') showPointer(editor, pointer);
  });
  const onGo = useStable((issue: Issue) => revealIssue(modelPath, issue));
  const issues = judged?.issues ?? noIssues;
  const cursor = formatPointer(tokens);
  const read = hasText ? state.text : undefined;
  const page = useAfterPaint(
    useMemo(
      () =>
        reading?.({
          modelPath,
          type: state.type,
          text: read,
          issues,
          cursor,
          prints,
          onReveal,
          onGo,
          onFollow: follow,
        }),
      [reading, modelPath, state.type, read, issues, cursor, prints, onReveal, onGo, follow],
    ),
    wait,
  );

  const inspector = layout.shown && phase.name !== 'unreadable' && side;

  return (
    <div className={styles.panel}>
      <RecordHeader
        type={state.type}
        id={state.id}
        base={base}
        modelPath={modelPath}
        readOnly={readOnly !== undefined}
        views={useMemo(() => reading && <ViewTabs {...views} />, [reading, views])}
        // The buttons follow the text: a key, or a record that comes, is seen without them.
        actions={useAfterPaint(actions, wait)}
        onEditor={onEditor}
      />
      <DraftNotice key={modelPath} target={target} />
      <FoundNotice target={target} io={io} onCompare={onCompare} />
      {phase.name === 'unreadable' && (
        <div className={styles.padded}>
          <FailureMessage
            title={isDeleted(phase.failure) ? text.record.deletedTitle : text.record.unreadableTitle}
            failure={phase.failure}
            {...(!isDeleted(phase.failure) && { onRetry: () => void io.read(target) })}
          />
        </div>
      )}
      <div
        className={styles.body}
        data-view={view}
        style={{ '--reading-share': views.share } as CSSProperties}
        {...(reading && panelOf(view))}
      >
        <RecordEditor {...{ target, layout, editor, tokens }} hidden={view === 'read'} onReady={setEditor} />
        {view === 'both' && (
          <Splitter
            label={text.recordViews.resize}
            value={views.share}
            bounds={readingShare}
            unit="%"
            step={2}
            onMove={views.previewShare}
            onRest={views.setShare}
          />
        )}
        {view !== 'json' && (
          <div className={styles.column}>
            {page}
            {layout.place === 'below' && inspector}
          </div>
        )}
        {layout.place !== 'below' && inspector}
      </div>
      {base && isUnderReview(phase) && <ReviewSheet target={target} base={base} io={io} />}
    </div>
  );
}

/** The actions on the record, the same until one of them is refused or possible again: keys leave them alone. */
function useActions(refused: ReturnType<typeof refusals>, runs: RecordRuns): RecordActions {
  // What a button says may be a moment old.
  const run = useStable((name: keyof RecordRuns) => {
    if (refused[name] === undefined) runs[name]();
  });
  const { format, reload, discard, patch, history, review } = refused;
  return useMemo(() => {
    const act = (name: keyof RecordRuns, refusal: string | undefined) => ({
      run: () => run(name),
      ...(refusal !== undefined && { refusal }),
    });
    return {
      format: act('format', format),
      reload: act('reload', reload),
      discard: act('discard', discard),
      patch: act('patch', patch),
      history: act('history', history),
      review: act('review', review),
    };
  }, [run, format, reload, discard, patch, history, review]);
}
