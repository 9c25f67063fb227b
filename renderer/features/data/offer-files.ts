import { text } from '../../ui/text.ts';
import { chosenFiles } from './chosen-files.ts';
import { imports } from './import-run.ts';
import { isBusy } from './import-state.ts';

/** Lists files for an import; what came of it, in words, or undefined where an import runs and nothing was listed. */
export function offerFiles(
  files: readonly { readonly name: string; readonly file: File }[],
): string | undefined {
  if (isBusy(imports.get())) return undefined;
  const chosen = chosenFiles(files);
  imports.dispatch({ type: 'chosen', chosen });
  const { length } = chosen.files;
  return length > 0 ? text.data.import.added(length) : text.data.import.noneAdded;
}
