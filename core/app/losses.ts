/** What the page and `/app/losses` say to each other: acknowledged writes that a start found missing. */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';

const Loss = v.object({
  id: v.number(),
  /** Instant, UTC, of the start that noticed it. */
  noticed: v.string(),
  /** Acknowledged writes that are missing; more may be. */
  atLeast: v.number(),
  /** Sentences for a person. */
  cause: v.string(),
  /** Whether somebody said that they read it. */
  read: v.boolean(),
});
export type Loss = Shape<typeof Loss>;

/** `GET /app/losses`, newest first. */
export const LossList = v.object({ losses: v.array(Loss) });
export type LossList = Shape<typeof LossList>;
