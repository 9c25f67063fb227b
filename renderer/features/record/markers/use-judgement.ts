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
import { narrow } from '../../../../core/api/narrow.ts';
import { CheckFindings, type CheckFinding } from '../../../../core/app/checks.ts';
import { useChecks } from '../../../platform/checks.ts';
import { useConnection } from '../../../platform/connection.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';

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

/** A text in the editor to be validated. */
interface ValidationInput {
  readonly modelPath: string;
  readonly type: ResourceType;
  readonly text: string;
  readonly base: string | undefined;
  /** True if the text is visible. Validation before would delay the first paint. */
  readonly inSight: boolean;
}

/** Wait after the last key. The worker of the server is shared with other requests. */
const checkDebounce = 400;

interface CustomFindings {
  readonly findings: readonly CheckFinding[];
  readonly validatedText: string;
}

const noFindings: CustomFindings = { findings: [], validatedText: '' };

/**
 * Returns the findings of custom checks in the open record's text, for records of any server. This machine's
 * server evaluates them. Until the response arrives, returns the findings of the previous text.
 */
function useOwnFindings({ modelPath, type, text, base, inSight }: ValidationInput): CustomFindings {
  const { client } = useConnection();
  const { data: checks = [] } = useChecks();
  const [result, setResult] = useState<{ readonly modelPath: string; readonly findings: CustomFindings }>();
  const activeChecks = checks
    .filter((check) => check.active && check.type === type)
    .map(({ id, version }) => `${id} ${version}`)
    .join();
  const isEnabled = activeChecks !== '' && base !== undefined && inSight;

  useEffect(() => {
    if (!isEnabled) return;
    let isCanceled = false;
    const timer = setTimeout(() => {
      client.app('POST', '/checks/findings', { type, record: text }).then(
        (response) => {
          if (isCanceled) return;
          setResult({
            modelPath,
            findings: { findings: narrow(response, CheckFindings), validatedText: text },
          });
        },
        // The status bar reports an unreachable server.
        () => undefined,
      );
    }, checkDebounce);
    return () => {
      isCanceled = true;
      clearTimeout(timer);
    };
  }, [isEnabled, activeChecks, client, modelPath, type, text]);

  return isEnabled && result?.modelPath === modelPath ? result.findings : noFindings;
}
