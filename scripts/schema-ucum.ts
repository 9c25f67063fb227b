import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { moduleOf, root } from './schema-sources.ts';

export const ucumDeclarations = `/** Made by scripts/schema.ts. */
/** The case-sensitive atoms of UCUM: those that take a prefix, and the others. */
export declare const metricUnits: readonly string[];
export declare const otherUnits: readonly string[];
export declare const unitPrefixes: readonly string[];
`;

interface Packed {
  readonly config: readonly (string | readonly string[])[];
  readonly data: readonly (readonly unknown[])[];
}

/** The text of ucum-table.js: the atoms and prefixes that the UCUM library of the National Library of Medicine holds. */
export function ucumModule(): string {
  const path = resolve(root, 'node_modules/@lhncbc/ucum-lhc/data/ucumDefs.min.json');
  const { prefixes, units } = JSON.parse(readFileSync(path, 'utf8')) as { prefixes: Packed; units: Packed };
  // What LOINC adds to the library is no atom of UCUM's own.
  const atoms = rows(units).filter((unit) => unit.source_ === 'UCUM');
  const isMetric = (unit: Record<string, unknown>) => unit.isMetric_ === true || unit.isBase_ === true;
  const codes = (list: readonly Record<string, unknown>[]) =>
    JSON.stringify(list.map((unit) => unit.csCode_));
  const constants = {
    metricUnits: codes(atoms.filter(isMetric)),
    otherUnits: codes(atoms.filter((unit) => !isMetric(unit))),
    unitPrefixes: JSON.stringify(rows(prefixes).map(({ code_: code }) => code)),
  };
  return moduleOf(constants, 'the UCUM definitions of @lhncbc/ucum-lhc');
}

function rows({ config, data }: Packed): Record<string, unknown>[] {
  return data.map((row) => Object.fromEntries(config.map((name, at) => [String(name), row[at]])));
}
