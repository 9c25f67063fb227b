import { createWish } from '../../platform/wish.ts';

/** A command's wish for the list of connections. */
export const chooseConnection = createWish();
