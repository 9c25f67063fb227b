/** Levels of validation, without the rules: the page needs only the names at its start. */
export const validationLevels = ['off', 'standard', 'strict'] as const;
export type ValidationLevel = (typeof validationLevels)[number];
