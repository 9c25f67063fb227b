import { stringMember, type JsonNode } from '../../json/node.ts';
import { loincDisplays } from './generated/displays.js';

const loinc = 'http://loinc.org';

/**
 * Returns the first display of some Codings: one that the record states, otherwise R4's own of a LOINC code for documents
 * or sections; undefined if there is none.
 */
export function displayOf(codings: readonly JsonNode[]): string | undefined {
  const statedDisplay = codings.map((coding) => stringMember(coding, 'display')).find(Boolean);
  return statedDisplay ?? codings.map(findR4Display).find(Boolean);
}

function findR4Display(coding: JsonNode): string | undefined {
  const code = stringMember(coding, 'code') ?? '';
  if (stringMember(coding, 'system') !== loinc || !Object.hasOwn(loincDisplays, code)) return undefined;
  return loincDisplays[code];
}
