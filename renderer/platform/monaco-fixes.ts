import type * as Monaco from 'monaco-editor/editor/editor.api';
import { labelOfMany } from '../../core/fhir/fixes/loss.ts';
import { repairForeignSyntax } from '../../core/json/foreign-syntax.ts';
import type { FindingLocation } from '../../core/fhir/fixes/offers.ts';
import { text } from '../ui/text.ts';
import { applyToAll, createFixNotifier } from './fixes.ts';
import { loadedMonaco } from './monaco-loader.ts';
import { listModelIssues, whenMarked } from './monaco-marks.ts';
import { replaceText } from './text-binding.ts';

const requestFixes = createFixNotifier();

/** Last request. The lightbulb and the keyboard shortcut send the same one in sequence. */
let lastRequest: { readonly key: string; readonly answer: ReturnType<typeof requestFixes> } | undefined;

function askOnce(
  model: Monaco.editor.ITextModel,
  findings: readonly FindingLocation[],
): ReturnType<typeof requestFixes> {
  const path = model.uri.toString();
  const key = JSON.stringify([path, model.getVersionId(), findings]);
  if (lastRequest?.key !== key) lastRequest = { key, answer: requestFixes(path, { findings }) };
  return lastRequest.answer;
}

let isRegistered = false;

/** Registers the quick fixes at the cursor, for the lightbulb and Ctrl+. Called with the first editor. */
export function registerFixes(): void {
  const monaco = loadedMonaco();
  if (isRegistered || !monaco) return;
  isRegistered = true;
  monaco.editor.registerCommand('chartkeeper.fix', (_, path: string, fixedText: string) =>
    replaceText(path, fixedText),
  );
  monaco.editor.registerCommand('chartkeeper.fixAll', (_, path: string, id: string) => {
    void applyToAll(path, id);
  });
  monaco.languages.registerCodeActionProvider(
    'json',
    {
      provideCodeActions: async (model, range) => {
        await whenMarked(model);
        // The model was closed meanwhile.
        if (model.isDisposed()) return undefined;
        const [startOffset, endOffset] = [
          model.getOffsetAt(range.getStartPosition()),
          model.getOffsetAt(range.getEndPosition()),
        ];
        const findings = listModelIssues(model).flatMap(({ rule, pointer, start, end }) =>
          pointer !== undefined && start <= endOffset && startOffset <= end ? [{ rule, pointer }] : [],
        );
        const path = model.uri.toString();
        const response = findings.length > 0 ? await askOnce(model, findings) : undefined;
        const fixes = response?.offers ?? [];
        const actions = fixes.map(({ label, safe, fixedText }, index) =>
          actionOf(label, index === 0 && safe, {
            id: 'chartkeeper.fix',
            title: label,
            arguments: [path, fixedText],
          }),
        );
        const syntaxIssue = listModelIssues(model).find(
          ({ rule, start, end }) => rule === 'json' && start <= endOffset && startOffset <= end,
        );
        const repair = syntaxIssue && repairForeignSyntax(model.getValue(), syntaxIssue.start);
        if (repair) {
          const { label, repairedText } = repair;
          actions.push(
            actionOf(label, true, { id: 'chartkeeper.fix', title: label, arguments: [path, repairedText] }),
          );
        }
        const fixesForAll = fixes
          .filter(({ count }) => count > 1)
          .map((fix) => {
            const { id, count } = fix;
            const title = text.fixes.inAll(labelOfMany(fix), count);
            return actionOf(title, false, { id: 'chartkeeper.fixAll', title, arguments: [path, id] });
          });
        return { actions: [...actions, ...fixesForAll], dispose: () => undefined };
      },
    },
    { providedCodeActionKinds: ['quickfix'] },
  );
}

function actionOf(
  title: string,
  isPreferred: boolean,
  command: Monaco.languages.Command,
): Monaco.languages.CodeAction {
  return { title, kind: 'quickfix', isPreferred, command };
}
