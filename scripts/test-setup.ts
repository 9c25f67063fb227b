import { ensureSchema } from './schema.ts';

/** vitest's global set-up: the validator's schema is there before any test. */
export function setup(): void {
  ensureSchema();
}
