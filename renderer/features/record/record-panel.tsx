import { useMemo, useState, useCallback, type CSSProperties, type ReactNode } from 'react';
import type { Issue } from '../../../core/fhir/text-validation.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import type { ReadingSlot } from '../../platform/reading-slot.ts';
import { scrollToPointer, revealPointer } from '../../platform/reveal-pointer.ts';
import { useAfterPaint } from '../../ui/after-paint.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Splitter } from '../../ui/splitter.tsx';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import frame from '../../ui/view.module.css';
import { DraftBanner } from './drafts/draft-notice.tsx';
import { RecordEditor } from './record-editor.tsx';
import { RecordHeader } from './record-header.tsx';
import { isUnderReview, isUnsaved } from './record-state.ts';
import styles from './record.module.css';
import { ReviewSheet } from './review-sheet.tsx';
import { useOpenRecord, type OpenRecord, type OpenRecordProps } from './use-open-record.ts';
import { useRecordActions, type RecordHandlers } from './use-record-actions.ts';
import { useRecordCommands } from './use-record-commands.ts';
import { Tabs, Button } from '@mantine/core';
import { recordViews } from '../../../core/app/preferences.ts';
import type { ViewLayout } from './use-record-view.ts';
import { writerOf } from '../../../core/app/authorship.ts';
import { useLiveEvents } from '../../platform/live.ts';
import { usePerson } from '../../platform/people.ts';
import { usePresent } from '../../ui/present.ts';
import { relativeTime } from '../../ui/time.ts';
import { Banner } from './review/notice.tsx';
import type { RecordRequests, RecordTarget } from './use-record-requests.ts';
import type { Target } from '../../../core/fhir/follow.ts';
import { positionAt } from '../../../core/json/json-problem.ts';
import { Inspector } from './inspector/inspector.tsx';
import { IssuesPane } from './inspector/issues-pane.tsx';
import { SummaryPane } from './inspector/summary-pane.tsx';
import type { ValidationWithStore } from './markers/use-store-issues.ts';
import type { InspectorLayout } from './use-inspector.ts';

interface RecordPanelProps extends OpenRecordProps, RecordHandlers {
  /** Compares two versions. */
  readonly onCompare: (older: number, newer: number) => void;
  /** History of the record, for the history tab of the inspector. */
  readonly history?: ReactNode;
  /** Renders the reading view. Without it, only the JSON is shown. */
  readonly renderReading?: ReadingSlot;
}

const noIssues: readonly Issue[] = [];

/** Milliseconds within which a record counts as quickly loaded. */
const quickLoadMs = 100;

/** The open record: header, editor, and the review sheet over them. */
export function RecordPanel(props: RecordPanelProps) {
  const { target, requests, isActive, renderReading: reading } = props;
  const { state, modelPath } = target;
  const { type, id, base, phase } = state;
  const openRecord = useOpenRecord(props, reading !== undefined);
  const { editor, views } = openRecord;
  const { actions, readOnly, patchAt } = useRecordActions(props, openRecord);
  const onEditor = useStable((action: string) => {
    views.callJson();
    editor?.focus();
    editor?.trigger('command', action, null);
  });
  const [prints, setPrints] = useState(0);
  const print = views.view === 'json' ? text.record.refusal.notRead : () => setPrints(prints + 1);
  useRecordCommands(isActive, { target, actions, print, onEditor });
  // Unlike a record that never existed (FHIR R4 http.html#delete).
  const isDeleted = phase.name === 'unreadable' && phase.failure.status === 410;
  // A record that loads quickly is rendered once, together with its side panels.
  const waitMs = phase.name === 'loading' ? quickLoadMs : 0;
  const side = useAfterPaint(useInspectorPane(props, openRecord, patchAt), waitMs);
  const page = useAfterPaint(useReadingPage(props, openRecord, prints), waitMs);
  return (
    <div className={styles.panel}>
      <RecordHeader
        type={type}
        id={id}
        base={base}
        modelPath={modelPath}
        readOnly={readOnly}
        onEditor={onEditor}
        views={useMemo(() => reading && <ViewTabs {...views} />, [reading, views])}
        // The buttons render later, so that a key or a new record is shown without waiting for them.
        actions={useAfterPaint(actions, waitMs)}
      />
      <DraftBanner key={modelPath} target={target} />
      <FoundNotice target={target} requests={requests} onCompare={props.onCompare} />
      {phase.name === 'unreadable' && (
        <div className={frame.padded}>
          <FailureMessage
            title={isDeleted ? text.record.deletedTitle : text.record.unreadableTitle}
            failure={phase.failure}
            {...(!isDeleted && { onRetry: () => void requests.loadRecord(target) })}
          />
        </div>
      )}
      <Body target={target} openRecord={openRecord} side={side} page={page} hasTabs={reading !== undefined} />
      {base && isUnderReview(phase) && <ReviewSheet target={target} base={base} requests={requests} />}
    </div>
  );
}

/** Returns the inspector. It renders again only if its content changes. */
function useInspectorPane(
  { target, history }: RecordPanelProps,
  openRecord: OpenRecord,
  onPatch: (pointer: string) => void,
) {
  const { modelPath } = target;
  const { validation, layout, onFollow, onGo } = openRecord;
  return useMemo(
    () => (
      <RecordSide
        modelPath={modelPath}
        validation={validation}
        layout={layout}
        history={history}
        onPatch={onPatch}
        onFollow={onFollow}
        onGo={onGo}
      />
    ),
    [modelPath, validation, layout, history, onFollow, onGo, onPatch],
  );
}

/** Returns the reading view. It renders again only if its content changes. */
function useReadingPage(
  { target: { state, modelPath }, renderReading }: RecordPanelProps,
  openRecord: OpenRecord,
  prints: number,
) {
  const { editor, views, validation, tokens, onFollow, onGo } = openRecord;
  const { type, base } = state;
  const onReveal = useStable((pointer: string) => {
    if (editor && views.view === 'both') scrollToPointer(editor, pointer);
  });
  const issues = validation?.issues ?? noIssues;
  const cursor = formatPointer(tokens);
  const readText = base && state.text;
  return useMemo(
    () =>
      renderReading?.({ modelPath, type, text: readText, issues, cursor, prints, onReveal, onGo, onFollow }),
    [renderReading, modelPath, type, readText, issues, cursor, prints, onReveal, onGo, onFollow],
  );
}

interface BodyProps extends Pick<RecordPanelProps, 'target'> {
  readonly openRecord: OpenRecord;
  readonly side: ReactNode;
  readonly page: ReactNode;
  /** True if there are tabs that select the view. */
  readonly hasTabs: boolean;
}

/** Arranges the editor, the reading view and the inspector in the available space. */
function Body({ target, openRecord, side, page, hasTabs }: BodyProps) {
  const { editor, setEditor, views, layout, tokens } = openRecord;
  const { view, edge } = views;
  const inspector = layout.isShown && target.state.phase.name !== 'unreadable' && side;
  return (
    <div
      className={styles.body}
      data-view={view}
      style={{ '--reading-share': edge.value } as CSSProperties}
      {...(hasTabs && panelOf(view))}
    >
      <RecordEditor
        target={target}
        layout={layout}
        editor={editor}
        tokens={tokens}
        isHidden={view === 'read'}
        onReady={setEditor}
      />
      {view === 'both' && <Splitter label={text.recordViews.resize} unit="%" step={2} {...edge} />}
      {view !== 'json' && (
        <div className={styles.column}>
          {page}
          {layout.position === 'below' && inspector}
        </div>
      )}
      {layout.position !== 'below' && inspector}
    </div>
  );
}

/** Id prefix that links tabs and panels. */
const id = 'record-view';

/** Returns the attributes of the panel, which is labeled by its tab. */
function panelOf(view: string) {
  return { id: `${id}-panel-${view}`, role: 'tabpanel', 'aria-labelledby': `${id}-tab-${view}` } as const;
}

/** Tabs that select the reading view, the JSON or both. */
function ViewTabs({ view, choose, roomForBoth }: ViewLayout) {
  return (
    <Tabs
      id={id}
      value={view}
      onChange={(value) => {
        const selectedView = recordViews.find((candidate) => candidate === value);
        if (selectedView) choose(selectedView);
      }}
      variant="none"
      classNames={{ root: styles.views ?? '', list: styles.viewList ?? '', tab: styles.viewTab ?? '' }}
    >
      <Tabs.List aria-label={text.recordViews.name}>
        {recordViews.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            {...(name === 'both' && !roomForBoth && { disabled: true, title: text.recordViews.narrow })}
          >
            {text.recordViews[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}

interface FoundNoticeProps {
  readonly target: RecordTarget;
  readonly requests: RecordRequests;
  /** Compares two versions. */
  readonly onCompare: (older: number, newer: number) => void;
}

/** Banner above the editor if the server has another version than the text is based on, or none. */
function FoundNotice({ target, requests, onCompare }: FoundNoticeProps) {
  const { type, id, serverVersion, base, phase } = target.state;
  const liveEvent = useLiveEvents(type, id);
  const now = usePresent();
  const currentPerson = usePerson();
  if (serverVersion === undefined || isUnderReview(phase)) return null;
  const hasUnsavedText = isUnsaved(target.state);
  if (serverVersion === 'gone') {
    return (
      <Banner
        title={text.record.gone}
        detail={hasUnsavedText ? text.record.goneDetail : text.record.goneShown}
      >
        {hasUnsavedText && (
          <Button onClick={() => void requests.keepAsDraft(target)}>{text.conflict.keep}</Button>
        )}
      </Banner>
    );
  }
  const { version } = serverVersion;
  const ownVersion = base?.version;
  const formatTitle = () => {
    if (liveEvent?.version !== version || liveEvent === undefined) return text.record.moved(version);
    const [author, age] = [writerOf(liveEvent), relativeTime(liveEvent.lastUpdated, now)];
    return author === currentPerson?.name
      ? text.record.movedByYou(liveEvent.version, age)
      : text.record.movedBy(liveEvent.version, author, age);
  };
  return (
    <Banner
      tone="info"
      title={formatTitle()}
      detail={hasUnsavedText ? text.record.movedDetail(ownVersion) : text.record.shownDetail(ownVersion)}
    >
      {ownVersion !== undefined && version !== undefined && (
        <Button onClick={() => onCompare(ownVersion, version)}>{text.record.compare}</Button>
      )}
      {!hasUnsavedText && (
        <Button onClick={() => void requests.loadRecord(target)}>{text.record.show(version)}</Button>
      )}
      {hasUnsavedText && phase.name !== 'invalid' && (
        <Button onClick={() => void requests.mergeVersions(target)}>{text.record.merge}</Button>
      )}
    </Banner>
  );
}

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
function RecordSide(props: RecordSideProps) {
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
