/** Fixes of findings. They are computed in a worker and applied to the model of the text. */
import { expressionAt } from '../../core/fhir/validation/finding.ts';
import type { FindingLocation } from '../../core/fhir/fixes/offers.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { text } from '../ui/text.ts';
import { ruleDay } from '../ui/time.ts';
import type { FixAnswer, FixQuestion } from './fix.worker.ts';
import FixWorker from './fix.worker.ts?worker';
import { LatestWorker } from './latest-worker.ts';
import { typeOfModel } from './monaco-model.ts';
import { modelAt } from './monaco-loader.ts';
import { listModelIssues } from './monaco-marks.ts';
import { replaceText } from './text-binding.ts';
import { openFixes } from './reveal-pointer.ts';

/** Shows a message in the status bar. */
type Announce = (message: string) => void;

type FixRequester = (modelPath: string, ask: FixQuestion['ask']) => Promise<FixAnswer | undefined>;

/** Creates a function that requests fixes. A new request replaces only earlier ones of the same function. */
export function createFixNotifier(): FixRequester {
  const worker = new LatestWorker<FixQuestion, FixAnswer>(() => new FixWorker());
  let cancelPrevious: (() => void) | undefined;
  return (modelPath, ask) => {
    cancelPrevious?.();
    const model = modelAt(modelPath);
    const type = model && typeOfModel(model);
    if (!type) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const cancel = worker.ask({ text: model.getValue(), type, today: ruleDay(), ask }, resolve);
      cancelPrevious = () => {
        cancel();
        resolve(undefined);
      };
    });
  };
}

const requestFixForAll = createFixNotifier();

/** Applies a fix to all findings of its rule as one undo step. Returns the number of fixed findings. */
export async function applyToAll(modelPath: string, id: string): Promise<number> {
  const textBefore = modelAt(modelPath)?.getValue();
  const response = await requestFixForAll(modelPath, { rule: id });
  // Text typed meanwhile is not overwritten.
  if (!response?.everywhere || modelAt(modelPath)?.getValue() !== textBefore) return 0;
  replaceText(modelPath, response.everywhere.text);
  return response.everywhere.fixedCount;
}

const requestFirstFix = createFixNotifier();

/**
 * Applies the first fix of a finding if it is safe, and announces it. Otherwise opens the list of fixes at
 * the cursor, because a fix that removes something must be selected by its label.
 */
export async function applyFirst(
  modelPath: string,
  finding: FindingLocation,
  announce: Announce,
): Promise<void> {
  const model = modelAt(modelPath);
  const type = model && typeOfModel(model);
  const textBefore = model?.getValue();
  const response = await requestFirstFix(modelPath, { findings: [finding] });
  const [firstFix] = response?.offers ?? [];
  if (!firstFix || !type || modelAt(modelPath)?.getValue() !== textBefore) announce(text.fixes.nothing);
  else if (firstFix.safe) {
    replaceText(modelPath, firstFix.fixedText);
    announce(text.fixes.doneAt(expressionAt(type, parsePointer(finding.pointer) ?? []), firstFix.label));
  } else {
    announce(text.fixes.choose(firstFix.label));
    openFixes(modelPath);
  }
}

/** Fixes requested before the text was validated, by model path. */
const pendingFixes = new Map<string, FindingLocation>();

/**
 * Fixes a finding of a record that is being opened: now if its text was validated, otherwise after the
 * validation.
 */
export function fixOnceValidated(modelPath: string, finding: FindingLocation, announce: Announce): void {
  const model = modelAt(modelPath);
  if (model && listModelIssues(model).length > 0) void applyFirst(modelPath, finding, announce);
  else pendingFixes.set(modelPath, finding);
}

/** Returns the pending fix and removes it. */
export function consumePendingFix(modelPath: string): FindingLocation | undefined {
  const finding = pendingFixes.get(modelPath);
  pendingFixes.delete(modelPath);
  return finding;
}
