import { useEffect } from 'react';
import { useRunCommand } from '../../platform/commands.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { EditorHandle } from './json-editor.tsx';

/** Has the editor's menu offer the composer at the element under the cursor. */
export function usePatchKey(editor: EditorHandle | undefined): void {
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
