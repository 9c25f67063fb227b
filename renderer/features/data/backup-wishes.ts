import { createWish } from '../../platform/wish.ts';

/** A command's wish for a backup. */
export const backupNow = createWish();

/** A command's wish to restore a backup: the newest, after a question. */
export const restoreBackup = createWish();
