/**
 * features/record/markers judges the open record's text in a worker and shows what was found in the editor. RecordPanel
 * calls it. Invariant: what is shown belongs to the exact text in the editor, or is taken away; what checks of one's own
 * found follows a moment later.
 */
import { replaceEqualDeep } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import type { LineChange } from '../../../../core/json/line-changes.ts';
import { askJudge } from '../../../platform/judge.ts';
import { ruleDay } from '../../../ui/time.ts';
import { afterPaint } from '../../../ui/after-paint.ts';
import { useOwnFindings, type Question } from './use-own-findings.ts';

/** After the last key; long enough to stay out of a fast typist's way. */
const debounce = 150;

export interface Judged {
  readonly modelPath: string;
  /** The text that was judged. */
  readonly text: string;
  readonly issues: readonly Issue[];
  readonly total: number;
  readonly changes: readonly LineChange[];
  /** Sums up the last text that could be read. */
  readonly card: RecordCard | undefined;
}

/** What is to be said of the open record's text; of the record before it, nothing stays. */
export function useJudgement(question: Question): Judged | undefined {
  const { modelPath, type, text, base, inSight } = question;
  const [judged, setJudged] = useState<Judged>();
  const current = judged?.modelPath === modelPath ? judged : undefined;
  const opening = current === undefined;
  const own = useOwnFindings(question);

  useEffect(() => {
    if (base === undefined || !inSight) return;
    let lose: (() => void) | undefined;
    const ask = () => {
      const { findings: found, foundIn } = own;
      lose = askJudge(
        { text, base, type, today: ruleDay(), found, foundIn },
        ({ issues, total, changes, card }) =>
          setJudged((before) => {
            const last = before?.modelPath === modelPath ? before.card : undefined;
            // What the summary says already stays the same, and is not drawn anew.
            return {
              modelPath,
              text,
              issues,
              total,
              changes,
              card: card ? replaceEqualDeep(last, card) : last,
            };
          }),
      );
    };
    const callOff = opening ? afterPaint(ask) : afterKeys(ask);
    return () => {
      callOff();
      lose?.();
    };
  }, [modelPath, type, text, base, inSight, opening, own]);

  return current;
}

function afterKeys(run: () => void): () => void {
  const timer = setTimeout(run, debounce);
  return () => clearTimeout(timer);
}
