import { useEffect, useEffectEvent, useState } from 'react';
import type { Issue } from '../../../core/fhir/text-validation.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useLiveEvents } from '../../platform/live.ts';
import { modelAt } from '../../platform/monaco-loader.ts';
import { useProfileDigests } from '../../platform/profile-digests.ts';
import { inspect } from '../../platform/read-json.ts';
import { revealPointer, revealSpan } from '../../platform/reveal-pointer.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useCursorPath } from './breadcrumbs/use-cursor-path.ts';
import type { EditorHandle } from './json-editor.tsx';
import { useTextValidation } from './markers/use-judgement.ts';
import { useMarkers } from './markers/use-marks.ts';
import { useProfileIssues } from './markers/use-profile-issues.ts';
import { useStoreIssues } from './markers/use-store-issues.ts';
import { isUnderReview } from './record-state.ts';
import { useFollow, useReferenceKeys } from './use-follow.ts';
import { useInspector } from './use-inspector.ts';
import type { RecordRequests, RecordTarget } from './use-record-requests.ts';
import { useRecordView } from './use-record-view.ts';

export interface OpenRecordProps {
  readonly target: RecordTarget;
  readonly requests: RecordRequests;
  readonly isActive: boolean;
  /** True if an overlay covers the panel. */
  readonly isCovered?: boolean;
}

/** Returns the editor of the open record, its layout and its validation. */
export function useOpenRecord(
  { target, requests, isActive, isCovered = false }: OpenRecordProps,
  hasReading: boolean,
) {
  const { state, modelPath } = target;
  const { base, phase } = state;
  const [editor, setEditor] = useState<EditorHandle>();
  const views = useRecordView(modelPath, editor, hasReading && phase.name !== 'unreadable');
  const layout = useInspector(views.inspector, modelPath);
  const tokens = useCursorPath(editor, modelPath);
  const onFollow = useFollow(
    () => {
      const inspected = inspect(modelAt(modelPath)?.getValue() ?? '');
      return inspected.valid ? inspected.root : undefined;
    },
    (pointer) => revealPointer(modelPath, pointer),
  );
  /** Reveals the element of an issue in the JSON, or the position of a syntax error. */
  const onGo = useStable((issue: Issue) => {
    if (issue.pointer === undefined) revealSpan(modelPath, issue);
    else revealPointer(modelPath, issue.pointer);
  });
  const validation = useFindings(target, editor);
  useReferenceKeys(editor, onFollow);
  usePatchKey(editor);
  useVersionCheck(isActive, target, requests);
  useClearedAnnouncement(phase.name === 'invalid');
  useFocus(isActive && !isCovered && base !== undefined && !isUnderReview(phase), editor, modelPath);
  return { editor, setEditor, views, layout, tokens, onFollow, onGo, validation };
}

export type OpenRecord = ReturnType<typeof useOpenRecord>;

/** Returns the validation of the text and marks its issues in the editor. */
function useFindings({ state, modelPath }: RecordTarget, editor: EditorHandle | undefined) {
  const { type, base } = state;
  const textValidation = useProfileIssues(
    type,
    useTextValidation({ modelPath, type, text: state.text, base: base?.text, inSight: editor !== undefined }),
  );
  const validation = useStoreIssues(state, textValidation);
  useProfileDigests(modelPath, type, validation?.text);
  useMarkers(validation, editor);
  return validation;
}

/** Interval between two checks of a record of another server, which sends no events. */
const pollIntervalMs = 30_000;

/**
 * Checks the server's version of the active record: after an event about a newer version, or at an interval
 * for another server.
 */
function useVersionCheck(isActive: boolean, target: RecordTarget, requests: RecordRequests): void {
  const { state } = target;
  const { remote } = useConnection();
  const reportedVersion = useLiveEvents(state.type, state.id)?.version;
  const canCheck =
    ['clean', 'saved', 'dirty', 'invalid'].includes(state.phase.name) && state.base !== undefined;
  const isOutdated = isActive && canCheck && (reportedVersion ?? 0) > (state.base.version ?? Infinity);
  const check = useEffectEvent(() => {
    if (canCheck && !document.hidden) void requests.checkServerVersion(target);
  });
  useEffect(() => {
    if (isOutdated) check();
  }, [isOutdated, reportedVersion]);
  const isPolled = isActive && remote !== undefined;
  useEffect(() => {
    if (!isPolled) return undefined;
    const timer = setInterval(() => check(), pollIntervalMs);
    return () => clearInterval(timer);
  }, [isPolled]);
}

/** Adds the patch composer to the context menu of the editor. */
function usePatchKey(editor: EditorHandle | undefined): void {
  const run = useRunCommand();
  const patch = useStable(() => run('record.patch'));
  useEffect(() => {
    const action = editor?.addAction({
      id: 'chartkeeper.patch',
      label: text.patch.here,
      contextMenuGroupId: 'navigation',
      run: patch,
    });
    return () => action?.dispose();
  }, [editor, patch]);
}

/** Clears the announcement of a syntax error once it is repaired. */
function useClearedAnnouncement(isInvalid: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (!isInvalid) return undefined;
    return () => announce('');
  }, [isInvalid, announce]);
}

/** Focuses the editor once it is ready, if nothing else has the focus. */
function useFocus(isReady: boolean, editor: EditorHandle | undefined, modelPath: string): void {
  useEffect(() => {
    if (!isReady) return undefined;
    // In the next frame, because other elements take the focus during layout.
    const frame = requestAnimationFrame(() => {
      if (isFocusLost()) editor?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [isReady, editor, modelPath]);
}
