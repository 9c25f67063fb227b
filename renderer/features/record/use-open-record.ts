import { useEffect, useEffectEvent, useState } from 'react';
import type { Issue } from '../../../core/fhir/judgement.ts';
import { useRunCommand } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useHeard } from '../../platform/live.ts';
import { modelAt } from '../../platform/monaco-loader.ts';
import { useProfileDigests } from '../../platform/profile-digests.ts';
import { inspect } from '../../platform/read-json.ts';
import { revealPointer, revealSpan } from '../../platform/reveal-pointer.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useCursorPath } from './crumbs/use-cursor-path.ts';
import type { EditorHandle } from './json-editor.tsx';
import { useJudgement } from './markers/use-judgement.ts';
import { useMarks } from './markers/use-marks.ts';
import { useProfileIssues } from './markers/use-profile-issues.ts';
import { useStoreIssues } from './markers/use-store-issues.ts';
import { isUnderReview } from './record-state.ts';
import { useFollow, useReferenceKeys } from './use-follow.ts';
import { useInspector } from './use-inspector.ts';
import type { RecordIo, RecordTarget } from './use-record-io.ts';
import { useRecordView } from './use-record-view.ts';

export interface OpenRecordProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
  readonly front: boolean;
  /** Whether something lies over the panel. */
  readonly covered?: boolean;
}

/** The editor of the open record, how it is laid out with what stands beside it, and what is found in its text. */
export function useOpenRecord({ target, io, front, covered = false }: OpenRecordProps, hasReading: boolean) {
  const { state, modelPath } = target;
  const { base, phase } = state;
  const [editor, setEditor] = useState<EditorHandle>();
  const views = useRecordView(modelPath, editor, hasReading && phase.name !== 'unreadable');
  const layout = useInspector(views.inspector, modelPath);
  const tokens = useCursorPath(editor, modelPath);
  const follow = useFollow(
    () => {
      const read = inspect(modelAt(modelPath)?.getValue() ?? '');
      return read.valid ? read.root : undefined;
    },
    (pointer) => revealPointer(modelPath, pointer),
  );
  /** Goes to what an issue is about, in the JSON; where no element is, to the place where the text stops to be JSON. */
  const goTo = useStable((issue: Issue) => {
    if (issue.pointer === undefined) revealSpan(modelPath, issue);
    else revealPointer(modelPath, issue.pointer);
  });
  const judged = useFindings(target, editor);
  useReferenceKeys(editor, follow);
  usePatchKey(editor);
  useStanding(front, target, io);
  useSilence(phase.name === 'invalid');
  useFocus(front && !covered && base !== undefined && !isUnderReview(phase), editor, modelPath);
  return { editor, setEditor, views, layout, tokens, follow, goTo, judged };
}

export type OpenRecord = ReturnType<typeof useOpenRecord>;

/** What is found in the text, which is shown at its places. */
function useFindings({ state, modelPath }: RecordTarget, editor: EditorHandle | undefined) {
  const { type, base } = state;
  const byText = useProfileIssues(
    type,
    useJudgement({ modelPath, type, text: state.text, base: base?.text, inSight: editor !== undefined }),
  );
  const judged = useStoreIssues(state, byText);
  useProfileDigests(modelPath, type, judged?.text);
  useMarks(judged, editor);
  return judged;
}

/** Milliseconds between two looks at a record of another server, which tells nothing by itself. */
const pace = 30_000;

/** Asks what the server holds behind the record in front: once a newer version was heard of, of another server now and then. */
function useStanding(front: boolean, target: RecordTarget, io: RecordIo): void {
  const { state } = target;
  const { remote } = useConnection();
  const heard = useHeard(state.type, state.id)?.version;
  const looks = ['clean', 'saved', 'dirty', 'invalid'].includes(state.phase.name) && state.base !== undefined;
  const newer = front && looks && (heard ?? 0) > (state.base.version ?? Infinity);
  const look = useEffectEvent(() => {
    if (looks && !document.hidden) void io.look(target);
  });
  useEffect(() => {
    if (newer) look();
  }, [newer, heard]);
  const polled = front && remote !== undefined;
  useEffect(() => {
    if (!polled) return undefined;
    const timer = setInterval(() => look(), pace);
    return () => clearInterval(timer);
  }, [polled]);
}

/** Has the editor's menu offer the composer at the element under the cursor. */
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

/** What was said of a fault is no longer so once it is mended. */
function useSilence(broken: boolean): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (!broken) return undefined;
    return () => announce('');
  }, [broken, announce]);
}

/** Has the editor take the focus that nothing else has, once it is `ready`. */
function useFocus(ready: boolean, editor: EditorHandle | undefined, modelPath: string): void {
  useEffect(() => {
    if (!ready) return undefined;
    // In the frame itself, as what takes the focus is laid out first.
    const frame = requestAnimationFrame(() => {
      if (isFocusLost()) editor?.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, editor, modelPath]);
}
