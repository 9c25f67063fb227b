import { useEffect, useState } from 'react';
import { useRunCommand } from '../../platform/commands.ts';
import { useProfileDigests } from '../../platform/profile-digests.ts';
import { isFocusLost } from '../../ui/focus.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { useCursorPath } from './crumbs/use-cursor-path.ts';
import type { EditorHandle } from './json-editor.tsx';
import { useJudgement } from './markers/use-judgement.ts';
import { useMarks } from './markers/use-marks.ts';
import { useProfileIssues } from './markers/use-profile-issues.ts';
import { isUnderReview } from './record-state.ts';
import { useFollow } from './use-follow.ts';
import { useInspector } from './use-inspector.ts';
import type { RecordIo, RecordTarget } from './use-record-io.ts';
import { useRecordView } from './use-record-view.ts';
import { useReferenceKeys } from './use-reference-keys.ts';
import { useStanding } from './use-standing.ts';

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
  const follow = useFollow(modelPath);
  const judged = useFindings(target, editor);
  useReferenceKeys(editor, follow);
  usePatchKey(editor);
  useStanding(front, target, io);
  useSilence(phase.name === 'invalid');
  useFocus(front && !covered && base !== undefined && !isUnderReview(phase), editor, modelPath);
  return { editor, setEditor, views, layout, tokens, follow, judged };
}

export type OpenRecord = ReturnType<typeof useOpenRecord>;

/** What is found in the text, which is shown at its places. */
function useFindings({ state, modelPath }: RecordTarget, editor: EditorHandle | undefined) {
  const { type, base } = state;
  const judged = useProfileIssues(
    type,
    useJudgement({ modelPath, type, text: state.text, base: base?.text, inSight: editor !== undefined }),
  );
  useProfileDigests(modelPath, type, judged?.text);
  useMarks(judged, editor);
  return judged;
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
