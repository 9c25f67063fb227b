import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

/** Values that a sentence was filled with. */
export const SentParameters = v.record(v.string(), v.union([v.string(), v.number()]));

/** A sentence of the server. The page can show it in another language by its code and parameters. */
export const CodedMessage = v.object({
  messageCode: v.exactOptional(v.string()),
  parameters: v.exactOptional(SentParameters),
  text: v.string(),
});
export type CodedMessage = Shape<typeof CodedMessage>;
