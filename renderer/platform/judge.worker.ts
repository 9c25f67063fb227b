import { judge } from '../../core/fhir/judgement.ts';
import { lineChanges } from '../../core/json/line-changes.ts';
import type { JudgeAnswer, JudgeQuestion } from './judge-messages.ts';

let known = '';

self.addEventListener('message', ({ data }: MessageEvent<JudgeQuestion>) => {
  const { ticket, text, base = known, type, today, found } = data;
  known = base;
  const answer: JudgeAnswer = {
    ticket,
    ...judge(text, type, today, found),
    changes: lineChanges(base, text),
  };
  self.postMessage(answer);
});
