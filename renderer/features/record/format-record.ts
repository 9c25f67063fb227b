import { format } from '../../../core/json/print.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { inspect } from '../../platform/read-json.ts';
import type { RecordTarget } from './use-record-io.ts';

/** Lays a tab's text out, two spaces a level, as one step that can be undone; leaves broken JSON alone. */
export function formatRecord({ state, modelPath }: RecordTarget): void {
  const read = inspect(state.text);
  if (read.valid) replaceModelText(modelPath, format(read.root));
}
