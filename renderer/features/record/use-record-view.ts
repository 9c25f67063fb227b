import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useMemo, useState } from 'react';
import type { RecordView } from '../../../core/app/preferences.ts';
import { usePreference } from '../../platform/preferences.ts';
import { onReveal } from '../../platform/reveal-pointer.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { EditorHandle } from './json-editor.tsx';
import { readingShare } from './edges.ts';
import { useEdge } from './use-edge.ts';

/** Least widths of the window, in CSS pixels. */
const widths = { both: 900, bothAtFirst: 1200, inspectorBeside: 1100, inspectorBesideBoth: 1500 } as const;

/** Where the inspector stands: beside what is shown, below the reading view, or over the JSON when it is called. */
export type InspectorPlace = 'beside' | 'below' | 'over';

/**
 * Decides as what the open record is shown, which is remembered, one for all tabs; where something is to be seen in the
 * JSON, that is.
 */
export function useRecordView(modelPath: string, editor: EditorHandle | undefined, readable: boolean) {
  const [kept, setKept] = usePreference('recordView');
  const edge = useEdge('readingShare', readingShare);
  const roomForBoth = useRoom(widths.both);
  const wide = useRoom(widths.bothAtFirst);
  const beside = useRoom(widths.inspectorBeside);
  const besideBoth = useRoom(widths.inspectorBesideBoth);
  /** The record whose JSON was called for since. */
  const [called, setCalled] = useState<string>();
  const withJson = wide ? 'both' : 'json';
  const wanted = kept ?? withJson;
  const possible = wanted === 'both' && !roomForBoth ? 'json' : wanted;
  const view = !readable ? 'json' : possible === 'read' && called === modelPath ? withJson : possible;

  /** Brings the JSON into sight where only the reading view is. */
  const callJson = useStable(() => {
    if (view === 'read') setCalled(modelPath);
  });
  useEffect(() => onReveal(callJson), [callJson]);
  useEffect(() => {
    if (called === undefined || !editor) return;
    // What was selected while it was out of sight.
    const selection = editor.getSelection();
    editor.layout();
    if (selection) editor.revealRangeInCenterIfOutsideViewport(selection);
    editor.focus();
  }, [called, editor]);
  const choose = useStable((next: RecordView) => {
    setCalled(undefined);
    setKept(next);
  });
  const inspector = ((): InspectorPlace => {
    if (view === 'both' ? besideBoth : beside) return 'beside';
    return view === 'json' ? 'over' : 'below';
  })();
  return useMemo(
    () => ({ view, choose, roomForBoth, inspector, edge, callJson }),
    [view, choose, roomForBoth, inspector, edge, callJson],
  );
}

function useRoom(width: number): boolean {
  return useMediaQuery(`(min-width: ${width}px)`, true, { getInitialValueInEffect: false });
}

export type ViewLayout = ReturnType<typeof useRecordView>;
