import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createModule, root } from './schema-sources.ts';

export const ucumDeclarations = `/** Made by scripts/schema.ts. */
/** The case-sensitive atoms of UCUM: those that take a prefix, and the others. */
export declare const metricUnits: readonly string[];
export declare const otherUnits: readonly string[];
export declare const unitPrefixes: readonly string[];
`;

interface PackedTable {
  readonly config: readonly (string | readonly string[])[];
  readonly data: readonly (readonly unknown[])[];
}

/**
 * Returns the text of ucum-table.js: the atoms and prefixes of the UCUM library by the National Library of
 * Medicine.
 */
export function createUcumModule(): string {
  const path = resolve(root, 'node_modules/@lhncbc/ucum-lhc/data/ucumDefs.min.json');
  const { prefixes, units } = JSON.parse(readFileSync(path, 'utf8')) as {
    prefixes: PackedTable;
    units: PackedTable;
  };
  // Additions of LOINC in the library are not atoms of UCUM.
  const atoms = unpackRows(units).filter((unit) => unit.source_ === 'UCUM');
  const isMetric = (unit: Record<string, unknown>) => unit.isMetric_ === true || unit.isBase_ === true;
  const listCodes = (list: readonly Record<string, unknown>[]) =>
    JSON.stringify(list.map((unit) => unit.csCode_));
  const constants = {
    metricUnits: listCodes(atoms.filter(isMetric)),
    otherUnits: listCodes(atoms.filter((unit) => !isMetric(unit))),
    unitPrefixes: JSON.stringify(unpackRows(prefixes).map(({ code_: code }) => code)),
  };
  return createModule(constants, 'the UCUM definitions of @lhncbc/ucum-lhc');
}

function unpackRows({ config, data }: PackedTable): Record<string, unknown>[] {
  return data.map((row) =>
    Object.fromEntries(config.map((name, columnIndex) => [String(name), row[columnIndex]])),
  );
}
