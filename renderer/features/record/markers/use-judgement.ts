/**
 * features/record/markers judges the open record's text in a worker and shows what was found in the editor. RecordPanel
 * calls it. Invariant: what is shown belongs to the exact text in the editor, or is taken away.
 */
import { useEffect, useState } from 'react';
import type { RecordCard } from '../../../../core/fhir/card/card.ts';
import type { Issue } from '../../../../core/fhir/judgement.ts';
import type { ResourceType } from '../../../../core/fhir/resource.ts';
import type { LineChange } from '../../../../core/json/line-changes.ts';
import { askJudge } from '../../../platform/judge.ts';
import { today } from '../../../platform/today.ts';

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

interface Question {
  readonly modelPath: string;
  readonly type: ResourceType;
  readonly text: string;
  readonly base: string | undefined;
}

/** What is to be said of the open record's text; of the record before it, nothing stays. */
export function useJudgement({ modelPath, type, text, base }: Question): Judged | undefined {
  const [judged, setJudged] = useState<Judged>();
  const current = judged?.modelPath === modelPath ? judged : undefined;
  const opening = current === undefined;

  useEffect(() => {
    if (base === undefined) return;
    let lose: (() => void) | undefined;
    const ask = () => {
      lose = askJudge({ text, base, type, today: today() }, ({ issues, total, changes, card }) =>
        setJudged((before) => ({
          modelPath,
          text,
          issues,
          total,
          changes,
          card: card ?? (before?.modelPath === modelPath ? before.card : undefined),
        })),
      );
    };
    const timer = setTimeout(ask, opening ? 0 : debounce);
    return () => {
      clearTimeout(timer);
      lose?.();
    };
  }, [modelPath, type, text, base, opening]);

  return current;
}
