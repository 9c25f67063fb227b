import { countOf } from '../format.ts';

export const fixes = {
  of: (expression: string) => `Fix ${expression}`,
  working: 'Looking for what can be done',
  inAll: (words: string, count: number) => `${words}: all ${count} of this kind`,
  done: (words: string) => `Done: ${words}`,
  doneIn: (count: number) => `${countOf(count, 'finding')} mended; undo takes it back`,
  choose: (label: string) => `Nothing was changed. “${label}” is not a safe fix: choose one from the list.`,
  notDone: 'Nothing was changed: the text is another one by now.',
  nothing: 'Nothing can be done to this text.',
  quickHint: 'Opens the record with what mends it, unsaved',
  quick: (title: string) => `Quick fix ${title}`,
} as const;
