import type { CommandId } from '../../core/app/commands.ts';
import { runInEditor } from '../platform/reveal-pointer.ts';
import { modelPathOf, type RecordTab } from './tabs-state.ts';

/** The commands that are the editor's own actions, by the editor's names. */
const editorCommands = {
  'record.outline': 'editor.action.quickOutline',
  'record.follow': 'chartkeeper.follow',
  'record.foldAll': 'editor.foldAll',
  'record.foldElements': 'editor.foldLevel2',
  'record.unfoldAll': 'editor.unfoldAll',
} as const satisfies Partial<Record<CommandId, string>>;

export type EditorCommand = keyof typeof editorCommands;

/** Runs one of the editor's actions on the record of a tab. */
export function runEditorCommand(tab: RecordTab, id: EditorCommand): void {
  // Once the palette is gone: it gives the focus back when it closes.
  requestAnimationFrame(() => runInEditor(modelPathOf(tab), editorCommands[id]));
}
