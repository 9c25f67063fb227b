/** Data of `/app/losses`: acknowledged writes that were missing at a start. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

const Loss = v.object({
  id: v.number(),
  /** Instant (UTC) of the start. */
  noticed: v.string(),
  /** Minimum count of missing writes. */
  atLeast: v.number(),
  /** Sentences for users. */
  cause: v.string(),
  /** True if someone confirmed the message. */
  read: v.boolean(),
});
export type Loss = Shape<typeof Loss>;

/** `GET /app/losses`, latest first. */
export const LossList = v.object({ losses: v.array(Loss) });
export type LossList = Shape<typeof LossList>;
