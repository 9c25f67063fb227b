import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

export const SentParameters = v.record(v.string(), v.union([v.string(), v.number()]));

/** Message of the server. The page can translate it by its code and parameters. */
export const CodedMessage = v.object({
  messageCode: v.exactOptional(v.string()),
  parameters: v.exactOptional(SentParameters),
  text: v.string(),
});
export type CodedMessage = Shape<typeof CodedMessage>;
