/**
 * features/record/crumbs says where in the record the cursor stands, and offers what concerns the editor alone.
 * RecordPanel mounts it. Invariant: the text is read after the keys, never between them.
 */
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { useEffect, useState } from 'react';
import { placeAt } from '../../../../core/json/place.ts';

/** After the last move of the cursor; longer than between a typist's keys, since a large text takes a while to read. */
const rest = 200;

const none: readonly string[] = [];

/** Reference tokens of the element at the cursor; empty at the record itself, and until its text was read. */
export function useCursorPath(
  editor: Monaco.editor.IStandaloneCodeEditor | undefined,
  modelPath: string,
): readonly string[] {
  const [place, setPlace] = useState({ path: '', tokens: none });
  useEffect(() => {
    if (!editor) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      const model = editor.getModel();
      const position = editor.getPosition();
      if (!model || !position) return;
      const { tokens: found } = placeAt(model.getValue(), model.getOffsetAt(position));
      const path = model.uri.toString();
      setPlace((before) =>
        before.path === path && isSame(before.tokens, found) ? before : { path, tokens: found },
      );
    };
    const follow = () => {
      clearTimeout(timer);
      timer = setTimeout(read, rest);
    };
    follow();
    const listening = [editor.onDidChangeCursorPosition(follow), editor.onDidChangeModel(follow)];
    return () => {
      clearTimeout(timer);
      for (const one of listening) one.dispose();
    };
  }, [editor]);
  return place.path === modelPath ? place.tokens : none;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((token, at) => token === other[at]);
}
