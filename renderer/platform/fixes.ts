/** Fixes of what is wrong with a text, worked out off the page's thread and put into its model. */
import type { Found } from '../../core/fhir/fixes/offers.ts';
import { text } from '../ui/text.ts';
import { ruleDay } from '../ui/time.ts';
import type { FixAnswer, FixQuestion } from './fix.worker.ts';
import FixWorker from './fix.worker.ts?worker';
import { LatestWorker } from './latest-worker.ts';
import { typeOfModel } from './monaco-model.ts';
import { modelAt } from './monaco-loader.ts';
import { issuesIn } from './monaco-marks.ts';
import { replaceModelText } from './monaco-text.ts';
import { openFixes } from './reveal-pointer.ts';

/** Says something in the status bar. */
type Announce = (message: string) => void;

type FixTeller = (modelPath: string, ask: FixQuestion['ask']) => Promise<FixAnswer | undefined>;

/** One that asks for itself: a newer question of another does not take the place of its own. */
export function createFixTeller(): FixTeller {
  const worker = new LatestWorker<FixQuestion, FixAnswer>(() => new FixWorker());
  let drop: (() => void) | undefined;
  return (modelPath, ask) => {
    drop?.();
    const model = modelAt(modelPath);
    const type = model && typeOfModel(model);
    if (!type) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const forget = worker.ask({ text: model.getValue(), type, today: ruleDay(), ask }, resolve);
      drop = () => {
        forget();
        resolve(undefined);
      };
    });
  };
}

const tellAll = createFixTeller();

/** Applies a fix at all findings of its rule, as one step that can be undone; how many were mended. */
export async function applyToAll(modelPath: string, id: string): Promise<number> {
  const before = modelAt(modelPath)?.getValue();
  const answer = await tellAll(modelPath, { all: id });
  // What was typed meanwhile is not overwritten.
  if (!answer?.all || modelAt(modelPath)?.getValue() !== before) return 0;
  replaceModelText(modelPath, answer.all.text);
  return answer.all.mended;
}

const tellOne = createFixTeller();

/**
 * Applies the first fix at a finding, if it is safe, and announces it. If it is not, opens the list of fixes at the
 * cursor: what removes something is chosen by its label.
 */
export async function applyFirst(modelPath: string, at: Found, announce: Announce): Promise<void> {
  const before = modelAt(modelPath)?.getValue();
  const answer = await tellOne(modelPath, { at: [at] });
  const [first] = answer?.offers ?? [];
  if (!first || modelAt(modelPath)?.getValue() !== before) announce(text.fixes.nothing);
  else if (first.safe) {
    replaceModelText(modelPath, first.text);
    announce(text.fixes.done(first.label));
  } else {
    announce(text.fixes.choose(first.label));
    openFixes(modelPath);
  }
}

/** Fixes that are asked for before their text was judged, by the paths of their models. */
const waiting = new Map<string, Found>();

/** Fixes a finding of a record that is opened: at once where its text was judged, else once it was. */
export function fixOnceJudged(modelPath: string, found: Found, announce: Announce): void {
  const model = modelAt(modelPath);
  if (model && issuesIn(model).length > 0) void applyFirst(modelPath, found, announce);
  else waiting.set(modelPath, found);
}

/** The fix that is asked for, once. */
export function takeWaitingFix(modelPath: string): Found | undefined {
  const found = waiting.get(modelPath);
  waiting.delete(modelPath);
  return found;
}
