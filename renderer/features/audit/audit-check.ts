import { createWish } from '../../platform/wish.ts';

/** A command's wish for a check of the trail. */
export const auditCheck = createWish();
