import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import type { RecordView } from '../../../core/app/preferences.ts';
import { usePreference } from '../../platform/preferences.ts';
import { onReveal } from '../../platform/reveal-pointer.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { EditorHandle } from './json-editor.tsx';
import { readingShare } from './panel-sizes.ts';
import { usePanelSize } from './use-edge.ts';

/** Minimum widths of the window in CSS pixels. */
const widths = { both: 900, bothAtFirst: 1200, inspectorBeside: 1100, inspectorBesideBoth: 1500 } as const;

/** Position of the inspector: next to the content, below the reading view, or over the JSON on request. */
export type InspectorPlace = 'beside' | 'below' | 'over';

/**
 * Returns the view of the open record, which is stored for all tabs. Revealing an element in the JSON
 * switches to the JSON.
 */
export function useRecordView(modelPath: string, editor: EditorHandle | undefined, isReadable: boolean) {
  const [storedView, setStoredView] = usePreference('recordView');
  const panel = usePanelSize('readingShare', readingShare);
  const hasRoomForBoth = useMinWidth(widths.both);
  const isWide = useMinWidth(widths.bothAtFirst);
  const hasRoomBeside = useMinWidth(widths.inspectorBeside);
  const hasRoomBesideBoth = useMinWidth(widths.inspectorBesideBoth);
  /** Model path of the record whose JSON was requested. */
  const [jsonRequestedFor, setJsonRequestedFor] = useState<string>();
  const withJson = isWide ? 'both' : 'json';
  const preferredView = storedView ?? withJson;
  const possibleView = preferredView === 'both' && !hasRoomForBoth ? 'json' : preferredView;
  const view = !isReadable
    ? 'json'
    : possibleView === 'read' && jsonRequestedFor === modelPath
      ? withJson
      : possibleView;

  /** Shows the JSON if only the reading view is visible. */
  const showJson = useStable(() => {
    if (view === 'read') setJsonRequestedFor(modelPath);
  });
  useEffect(() => onReveal(showJson), [showJson]);
  useEffect(() => {
    if (jsonRequestedFor === undefined || !editor) return;
    // Reveals the selection that was made while the editor was hidden.
    const selection = editor.getSelection();
    editor.layout();
    if (selection) editor.revealRangeInCenterIfOutsideViewport(selection);
    editor.focus();
  }, [jsonRequestedFor, editor]);
  const selectView = useStable((next: RecordView) => {
    setJsonRequestedFor(undefined);
    setStoredView(next);
  });
  const inspector = ((): InspectorPlace => {
    if (view === 'both' ? hasRoomBesideBoth : hasRoomBeside) return 'beside';
    return view === 'json' ? 'over' : 'below';
  })();
  return useMemo(
    () => ({
      view,
      choose: selectView,
      roomForBoth: hasRoomForBoth,
      inspector,
      edge: panel,
      callJson: showJson,
    }),
    [view, selectView, hasRoomForBoth, inspector, panel, showJson],
  );
}

function useMinWidth(width: number): boolean {
  return useMediaQuery(`(min-width: ${width}px)`, true, { getInitialValueInEffect: false });
}

export type ViewLayout = ReturnType<typeof useRecordView>;
