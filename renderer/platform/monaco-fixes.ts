import type * as Monaco from 'monaco-editor/editor/editor.api';
import { labelOfMany } from '../../core/fhir/fixes/loss.ts';
import { repairForeignSyntax } from '../../core/json/foreign-syntax.ts';
import type { Found } from '../../core/fhir/fixes/offers.ts';
import { text } from '../ui/text.ts';
import { applyToAll, createFixTeller } from './fixes.ts';
import { loadedMonaco } from './monaco-loader.ts';
import { issuesIn, whenMarked } from './monaco-marks.ts';
import { replaceModelText } from './monaco-text.ts';

const tell = createFixTeller();

/** The question that was asked last: the lightbulb and the key ask the same, one behind the other. */
let last: { readonly key: string; readonly answer: ReturnType<typeof tell> } | undefined;

function askOnce(model: Monaco.editor.ITextModel, at: readonly Found[]): ReturnType<typeof tell> {
  const path = model.uri.toString();
  const key = JSON.stringify([path, model.getVersionId(), at]);
  if (last?.key !== key) last = { key, answer: tell(path, { at }) };
  return last.answer;
}

let registered = false;

/** Fixes at the cursor: the lightbulb, and Ctrl+. Registers them with the first editor. */
export function registerFixes(): void {
  const monaco = loadedMonaco();
  if (registered || !monaco) return;
  registered = true;
  monaco.editor.registerCommand('chartkeeper.fix', (_, path: string, made: string) =>
    replaceModelText(path, made),
  );
  monaco.editor.registerCommand('chartkeeper.fixAll', (_, path: string, id: string) => {
    void applyToAll(path, id);
  });
  monaco.languages.registerCodeActionProvider(
    'json',
    {
      provideCodeActions: async (model, range) => {
        await whenMarked(model);
        // Closed meanwhile.
        if (model.isDisposed()) return undefined;
        const [from, to] = [
          model.getOffsetAt(range.getStartPosition()),
          model.getOffsetAt(range.getEndPosition()),
        ];
        const here = issuesIn(model).flatMap(({ rule, pointer, start, end }) =>
          pointer !== undefined && start <= to && from <= end ? [{ rule, pointer }] : [],
        );
        const path = model.uri.toString();
        const answer = here.length > 0 ? await askOnce(model, here) : undefined;
        const offers = answer?.offers ?? [];
        const actions = offers.map(({ label, safe, text: made }, index) =>
          actionOf(label, index === 0 && safe, {
            ...{ id: 'chartkeeper.fix', title: label },
            arguments: [path, made],
          }),
        );
        const broken = issuesIn(model).find(
          ({ rule, start, end }) => rule === 'json' && start <= to && from <= end,
        );
        const repair = broken && repairForeignSyntax(model.getValue(), broken.start);
        if (repair) {
          const { label, text: made } = repair;
          actions.push(
            actionOf(label, true, { id: 'chartkeeper.fix', title: label, arguments: [path, made] }),
          );
        }
        const every = offers
          .filter(({ count }) => count > 1)
          .map((offer) => {
            const { id, count } = offer;
            const title = text.fixes.inAll(labelOfMany(offer), count);
            return actionOf(title, false, { id: 'chartkeeper.fixAll', title, arguments: [path, id] });
          });
        return { actions: [...actions, ...every], dispose: () => undefined };
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
