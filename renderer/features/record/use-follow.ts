import { useEffect, useEffectEvent } from 'react';
import { containedPointer } from '../../../core/fhir/names.ts';
import { follow, type Target } from '../../../core/fhir/follow.ts';
import type { JsonNode } from '../../../core/json/node.ts';
import { locateOffset } from '../../../core/json/cursor-location.ts';
import { scanString } from '../../../core/json/scalars.ts';
import { typeOfModel } from '../../platform/monaco-model.ts';
import { loadedMonaco } from '../../platform/monaco-loader.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { EditorHandle } from './json-editor.tsx';

/** Returns the function that follows a reference: to a contained element, another record or a search. */
export function useFollow(
  rootNow: () => JsonNode | undefined,
  reveal: (pointer: string) => void,
): (target: Target) => void {
  const actions = useWorkbenchActions();
  return useStable((target) => {
    switch (target.kind) {
      case 'contained': {
        const root = rootNow();
        const pointer = root && containedPointer(root, target.id);
        if (pointer !== undefined) reveal(pointer);
        return;
      }
      case 'record':
        actions.openRecord({ type: target.type, id: target.id, title: target.id });
        return;
      case 'patient':
        actions.openPatient({ id: target.id, name: '' });
        return;
      case 'search':
        actions.search(target.pairs, target.type);
    }
  });
}

/** Follows a double-clicked reference. A command follows the reference at the cursor. */
export function useReferenceKeys(editor: EditorHandle | undefined, onFollow: (target: Target) => void): void {
  const announce = useAnnounce();
  const followCursor = useEffectEvent((isAnnounced: boolean) => {
    const target = editor && targetAtCursor(editor);
    if (target) onFollow(target);
    else if (isAnnounced) announce(text.crumbs.noReference);
  });

  useEffect(() => {
    const monaco = loadedMonaco();
    if (!editor || !monaco) return;
    // The second press of a double click. The first one has moved the cursor.
    const clicks = editor.onMouseDown(({ event, target }) => {
      const onText = target.type === monaco.editor.MouseTargetType.CONTENT_TEXT;
      if (event.leftButton && event.detail === 2 && onText) followCursor(false);
    });
    const key = editor.addAction({
      id: 'chartkeeper.follow',
      label: text.crumbs.follow,
      contextMenuGroupId: 'navigation',
      run: () => followCursor(true),
    });
    return () => {
      clicks.dispose();
      key.dispose();
    };
  }, [editor]);
}

function targetAtCursor(editor: EditorHandle): Target | undefined {
  const model = editor.getModel();
  const position = editor.getPosition();
  const type = model && typeOfModel(model);
  if (!model || !position || !type) return undefined;
  const source = model.getValue();
  const { role, tokens, start } = locateOffset(source, model.getOffsetAt(position));
  const [element = ''] = tokens;
  if (role !== 'value' || tokens.at(-1) !== 'reference') return undefined;
  const literal = scanString(source, start);
  return 'value' in literal ? follow(literal.value, element, type) : undefined;
}
