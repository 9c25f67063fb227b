import type { TrainingDefect } from '../../core/app/training.ts';
import { plant, type Defect } from './defect.ts';
import { documentDefects } from './document-defects.ts';
import { write } from './encode.ts';
import { draftClinic, type DemoDraft, type DemoRecord } from './generate.ts';
import { titleOf } from './place.ts';
import { planDefects } from './plan-defects.ts';
import { Random } from './random.ts';

/** A record that a migration brought, with what went wrong in it, where something did. */
export interface MigratedRecord extends DemoRecord {
  readonly defect?: TrainingDefect;
  /** What the record becomes once it is stored, where the defect lies between two versions. */
  readonly later?: string;
}

/** The patients behind those of the clean clinic: both sets can be loaded, and no id is in both. */
const part = { first: 501, patients: 100 };

/** Share of the records, of 100, that are taken for a defect while there are defects to plant. */
const dirty = 74;

/**
 * A migration gone wrong: a clinic in which the defects of both tables are planted, at most one in a record, so that
 * each is found alone. The same for the same seed on every machine.
 */
export function* generateMigration({ seed = 1 }: { readonly seed?: number } = {}): Generator<MigratedRecord> {
  const random = new Random(seed, part.first, 0x300);
  const waiting = { CarePlan: shuffled(random, planDefects), Composition: shuffled(random, documentDefects) };
  for (const draft of draftClinic({ seed, ...part })) {
    const { type, id, json } = draft;
    const planted = random.chance(dirty) ? plantNext(draft, waiting[type]) : undefined;
    yield planted ?? { type, id, text: write(json) };
  }
}

/** Takes the first of the waiting defects that the record has a place for. */
function plantNext({ type, id, json }: DemoDraft, waiting: Defect[]): MigratedRecord | undefined {
  for (const [index, defect] of waiting.entries()) {
    const planted = plant(json, defect);
    if (!planted) continue;
    waiting.splice(index, 1);
    const { record, pointer } = planted;
    const told = { type, id, rule: defect.rule, pointer, title: titleOf(json) };
    return defect.later
      ? { type, id, text: write(json), later: write(record), defect: told }
      : { type, id, text: write(record), defect: told };
  }
  return undefined;
}

function shuffled(random: Random, table: readonly Defect[]): Defect[] {
  const rest = table.flatMap((defect) => Array.from({ length: defect.times }, () => defect));
  const order: Defect[] = [];
  while (rest.length > 0) order.push(...rest.splice(random.between(0, rest.length - 1), 1));
  return order;
}
