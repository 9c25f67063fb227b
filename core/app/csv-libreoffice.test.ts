/* Opens CSV in LibreOffice as a reader in another locale would, and counts the formulas that it finds. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { csvLine } from './csv.ts';

const program = '/usr/bin/soffice';
const isHere = existsSync(program);

/** Returns the formulas in each CSV text that LibreOffice reads with this separator and evaluates. */
function formulasIn(texts: readonly string[], separator: string): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-csv-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const names = texts.map((_, index) => `cells-${index}`);
  for (const [index, content] of texts.entries()) writeFileSync(join(folder, `cells-${index}.csv`), content);
  const filter = `CSV:${separator.charCodeAt(0)},34,76,1,,0,false,true,false,false,false,-1,true`;
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const files = names.map((name) => `${name}.csv`);
  execFileSync(program, ['--headless', profile, `--infilter=${filter}`, '--convert-to', 'fods', ...files], {
    cwd: folder,
    stdio: 'ignore',
  });
  return names.map((name) => {
    const sheet = readFileSync(join(folder, `${name}.fods`), 'utf8');
    return [...sheet.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = '']) => formula);
  });
}

describe.skipIf(!isHere)(isHere ? 'csvLine in LibreOffice' : 'not run: LibreOffice is not here', () => {
  const hostile = ['=1+1', 'safe;=2+2', 'safe\t=3+3', 'safe|=4+4', 'one\n=5+5', 'safe;"=6+6"', '\uFF1D7+7'];

  test.each([',', ';', '\t', '|'])('yields no formula if the list separator is %j', (separator) => {
    const rows = hostile.map((cell) => csvLine(['first', cell, 'last'])).join('');
    // The second file shows that LibreOffice evaluates formulas in this setup.
    expect(formulasIn([rows, `first${separator}=1+1\r\n`], separator)).toEqual([[], ['of:=1+1']]);
  });
});
