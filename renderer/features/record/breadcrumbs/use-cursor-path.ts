/**
 * Path of the cursor in the open record, and the commands of the editor. RecordPanel mounts it.
 * Invariant: the text is read after a pause in typing, never between keys.
 */
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { useEffect, useState } from 'react';
import { locateOffset } from '../../../../core/json/cursor-location.ts';

/**
 * Wait after the last move of the cursor. It is longer than a typist's pause, because reading a large text
 * takes a while.
 */
const pathDelayMs = 200;

const noTokens: readonly string[] = [];

/**
 * Returns the reference tokens of the element at the cursor. Empty at the root and until the text was read.
 */
export function useCursorPath(
  editor: Monaco.editor.IStandaloneCodeEditor | undefined,
  modelPath: string,
): readonly string[] {
  const [location, setPlace] = useState({ path: '', tokens: noTokens });
  useEffect(() => {
    if (!editor) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readPath = () => {
      const model = editor.getModel();
      const position = editor.getPosition();
      if (!model || !position) return;
      const { tokens } = locateOffset(model.getValue(), model.getOffsetAt(position));
      const path = model.uri.toString();
      setPlace((previous) =>
        previous.path === path && isSame(previous.tokens, tokens) ? previous : { path, tokens },
      );
    };
    const scheduleRead = () => {
      clearTimeout(timer);
      timer = setTimeout(readPath, pathDelayMs);
    };
    scheduleRead();
    const listeners = [editor.onDidChangeCursorPosition(scheduleRead), editor.onDidChangeModel(scheduleRead)];
    return () => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    };
  }, [editor]);
  return location.path === modelPath ? location.tokens : noTokens;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((token, index) => token === right[index]);
}
