import type { Random } from './random.ts';

export type Sex = 'female' | 'male';

const GIVEN: Readonly<Record<Sex, readonly string[]>> = {
  female: 'Ada Åse Bea Clara Dora Elif Fatou Greta Hana Inês Joan Kira Lucía Mira Noor Zoë'.split(' '),
  male: 'Abel Björn Cem Dan Emil Femi Gus Hugo Ivan José Kofi Liam Max Nils Omar Søren'.split(' '),
};

/** Most say "example" in some language: no reader should take one of them for a person. */
const FAMILY = [
  ...['Sample', 'Example', 'Testa', 'Demowski', 'Placeholder', 'Test-Berg', 'Mockridge', 'Specimen'],
  ...['Muster', 'Beispiel', 'Müller-Muster', 'Exempel', 'Esempio', 'Ejemplo', 'Voorbeeld', 'Przykład'],
  ...['Örnek', 'Exemplar', 'Fixture', "O'Dummy", 'Lorem', '例'],
];

/** An invented full name. */
export function inventName(random: Random, sex: Sex): string {
  return `${random.pick(GIVEN[sex])} ${random.pick(FAMILY)}`;
}
