/**
 * Validates the text of the open record in a worker and marks the issues in the editor. RecordPanel calls it.
 * Invariant: markers belong to the exact text in the editor, or are removed. Findings of custom checks follow
 * later.
 */
import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import type { LineChange } from '../../../../core/json/line-changes.ts';
import { validateInWorker } from '../../../platform/validate-in-worker.ts';
import { ruleDay } from '../../../ui/time.ts';
import { afterPaint } from '../../../ui/after-paint.ts';
import { useOwnFindings, type ValidationInput } from './use-own-findings.ts';

/** Wait after the last key; long enough for a fast typist. */
const debounceMs = 150;

export interface ValidatedText {
  readonly modelPath: string;
  /** The validated text. */
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly total: number;
  readonly changes: readonly LineChange[];
  /** Summary of the last text that was JSON. */
  readonly card: RecordCard | undefined;
}

/** Returns the validation of the open record's text; undefined until the record was validated. */
export function useTextValidation(input: ValidationInput): ValidatedText | undefined {
  const { modelPath, type, text, base, inSight } = input;
  const [validation, setValidation] = useState<ValidatedText>();
  const current = validation?.modelPath === modelPath ? validation : undefined;
  const opening = current === undefined;
  const customFindings = useOwnFindings(input);

  useEffect(() => {
    if (base === undefined || !inSight) return;
    let cancelValidation: (() => void) | undefined;
    const requestValidation = () => {
      const { findings: customIssues, validatedText: customIssuesText } = customFindings;
      cancelValidation = validateInWorker(
        { text, base, type, today: ruleDay(), customIssues, customIssuesText },
        ({ issues, total, changes, card }) =>
          setValidation((previous) => {
            const lastCard = previous?.modelPath === modelPath ? previous.card : undefined;
            // Equal parts keep their identity, so that the summary is not rendered again.
            return {
              modelPath,
              text,
              issues,
              total,
              changes,
              card: card ? replaceEqualDeep(lastCard, card) : lastCard,
            };
          }),
      );
    };
    const cancelRequest = opening ? afterPaint(requestValidation) : debounce(requestValidation);
    return () => {
      cancelRequest();
      cancelValidation?.();
    };
  }, [modelPath, type, text, base, inSight, opening, customFindings]);

  return current;
}

function debounce(run: () => void): () => void {
  const timer = setTimeout(run, debounceMs);
  return () => clearTimeout(timer);
}
