import { createContext } from 'react';

/**
 * Local record (`CarePlan/17`) whose references are shown; undefined outside of a record. Sources may use one id for different
 * resources, so the record decides which one a reference means.
 */
export const ReferringRecord = createContext<string | undefined>(undefined);
