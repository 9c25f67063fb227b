import { judge } from '../../core/fhir/judgement.ts';
import { lineChanges } from '../../core/json/line-changes.ts';
import type { JudgeAnswer, JudgeQuestion } from './judge.ts';

self.addEventListener('message', ({ data }: MessageEvent<JudgeQuestion>) => {
  const { ticket, text, base, type, today } = data;
  const answer: JudgeAnswer = { ticket, ...judge(text, type, today), changes: lineChanges(base, text) };
  self.postMessage(answer);
});
