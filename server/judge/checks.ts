/**
 * Stewards' own checks: kept as they are written, tried before they are switched on, and asked of every record in the
 * background, first of all of them and then of what changes. Called by the routes under `/app/checks`. Invariant: what a
 * check finds is derived from the records and can be made anew; no check stands in the way of a request.
 */
import {
  checkLimits,
  checkOfRule,
  questionOf,
  ruleOfCheck,
  type CheckDefinition,
  type CheckQuestion,
  type CheckTrial,
  type StewardCheck,
  type TrialResult,
} from '../../core/app/checks.ts';
import { profileCheck, type ProfileProgress } from '../../core/app/profiles.ts';
import type { CheckCount } from '../../core/app/measures.ts';
import { dayNumber } from '../../core/app/days.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { perType, type ResourceType } from '../../core/fhir/resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { KeptCheck } from '../store/check-store.ts';
import type { AppliedCheck } from '../fhir/measuring.ts';
import type { SharedStore } from '../store/store.ts';
import type { CheckDefinitions, HeldCheck } from '../workspace/checks.ts';
import { createBackground, type BackgroundGiven } from './background.ts';
import { createCheckRunner, type RunnerLimits } from './check-runner.ts';
import { trialOf } from './check-trial.ts';
import { profileProgress } from './profile-progress.ts';
import { findingsIn, stampOf, verdictsOf } from './check-verdicts.ts';
import type { Profiles } from './profiles.ts';

export interface CheckParts extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'checks' | 'derived' | 'leases' | 'beginBulk' | 'issueCounts'>;
  readonly definitions: CheckDefinitions;
  readonly clock: () => number;
  /** What profiles say, which is kept as what checks come to. */
  readonly profiles: Profiles;
  /** Reads what other servers wrote of what is asked; nothing where there are none. */
  readonly refresh?: (() => Promise<unknown>) | undefined;
  /** Called once every check has come to the end for the first time, and on each day whose findings differ. */
  readonly settled?: () => Promise<void>;
  readonly limits?: Partial<RunnerLimits> | undefined;
}

export type Checks = ReturnType<typeof createChecks>;

/** Milliseconds in which writes are gathered. */
const gathering = 200;

/** Records that are named of those for which a check could not be asked. */
const mostSkipped = 100;

export function createChecks({
  store,
  definitions,
  profiles,
  clock,
  pace,
  every,
  log,
  moved,
  refresh,
  settled,
  limits,
}: CheckParts) {
  const runner = createCheckRunner(limits);
  // Whoever writes a check does not wait for the records.
  const beside = createCheckRunner(limits);
  let day: string | undefined;
  /** The stamps of the checks that had come to the end when all was measured last. */
  let settledOn = '';

  const on = () => definitions.list().filter(({ active }) => active);

  /** What is asked of the records today, by its stamp. */
  function kept(): ReadonlyMap<string, KeptCheck & { readonly check: HeldCheck }> {
    const today = dayOf(clock());
    return new Map(
      on().map((check) => {
        const stamp = stampOf(check, today);
        return [stamp, { id: check.id, type: check.type, stamp, check }];
      }),
    );
  }

  async function step(): Promise<boolean> {
    // A check that another server switched on a moment ago is none that is switched off.
    await refresh?.();
    const slots = await profiles.slots();
    const now = kept();
    day = dayOf(clock());
    const own = [...now.values()].map(({ id, type, stamp }) => ({ id, type, stamp }));
    await store.checks.settle([...slots, ...own]);
    const slice = await store.checks.next();
    if (!slice) {
      if (slots.length > 0 && (await profiles.takeReferred())) return true;
      const all = [...slots.map(({ stamp }) => stamp), ...now.keys()].join();
      if (all !== settledOn) await settled?.();
      settledOn = all;
      return false;
    }
    const asked = slice.checks.map(({ stamp }) => now.get(stamp)?.check);
    const { verdicts, halted } = await verdictsOf(runner, slice, asked);
    const byProfile = await profiles.verdicts(slice);
    const all = verdicts.map((row, at) => row.map((one, column) => byProfile.get(column)?.[at] ?? one));
    await store.checks.write(slice, all, halted, dayNumber(clock()));
    return true;
  }

  const background = createBackground({
    store,
    leased: ['checks'],
    step,
    isDue: () => day !== dayOf(clock()),
    ...{ pace, every, log, moved, failed: 'checks were not asked' },
  });
  store.derived.onOpened(background.wake);
  definitions.onChange(() => {
    background.wake();
    moved?.();
  });
  profiles.onChange(background.wake);

  async function counts(): Promise<ReadonlyMap<string, Pick<CheckCount, 'violated' | 'findings'>>> {
    const { counts: all } = await store.issueCounts({});
    return new Map(
      all.flatMap(({ rule, records: violated, findings }) => {
        const id = checkOfRule(rule);
        return id === undefined ? [] : [[id, { violated, findings }] as const];
      }),
    );
  }

  async function list(): Promise<StewardCheck[]> {
    const held = definitions.list();
    if (held.length === 0) return [];
    const [progress, found] = await Promise.all([store.checks.progress(), counts()]);
    const byId = new Map(progress.map(({ id, ...one }) => [id, one]));
    return held
      .map((check) => {
        const one = check.active ? byId.get(check.id) : undefined;
        const { violated, findings } = found.get(check.id) ?? none;
        return { ...check, ...(one && { progress: { ...one, violated, findings } }) };
      })
      .toSorted((left, right) => left.title.localeCompare(right.title));
  }

  /** @throws FhirError `value` for each expression that cannot be parsed. */
  async function refuseFaults(question: CheckQuestion): Promise<void> {
    const faults = await beside.faults(questionOf(question));
    if (faults.length === 0) return;
    throw new FhirError(
      'value',
      faults.map(([expression, text]) => ({ text, expression })),
    );
  }

  return {
    ...background,
    list,

    /** A version was stored, or what records refer to. What comes together is asked together; it costs its write nothing. */
    stored(): void {
      if (profiles.isOn() || on().length > 0) {
        background.wakeSoon(gathering);
      }
    },

    /** Sentences of the rules under which checks find, for the worklist. */
    sentences: (): ReadonlyMap<string, string> =>
      new Map(definitions.list().map(({ id, title }) => [ruleOfCheck(id), title])),

    /** How far the records are judged by profiles, and what came of it. */
    profiles: (): Promise<ProfileProgress> => profileProgress(store),

    /** Which records the checks that are switched on apply to, and what came of profiles, for the day's measures. */
    async applied(): Promise<AppliedCheck[]> {
      const byProfile = (await profileProgress(store)).map(
        ({ type, applied, violated, findings, undecided }) => ({
          ...{ check: profileCheck, type, applied, violated, findings, skipped: undecided },
        }),
      );
      const types = new Map(on().map(({ id, type }) => [id, type]));
      const progress = types.size === 0 ? [] : await store.checks.progress();
      const own = progress.flatMap(({ id, applied, skipped }) => {
        const type = types.get(id);
        return type === undefined ? [] : [{ check: ruleOfCheck(id), type, applied, skipped }];
      });
      return [...byProfile, ...own];
    },

    /**
     * Keeps a check in the place of the version that was read before, 0 for a new one.
     *
     * @throws FhirError `value` where an expression cannot be parsed; `stale` where another version stands.
     */
    async put(definition: CheckDefinition, version: number, who: string): Promise<StewardCheck | undefined> {
      await refuseFaults(definition);
      const stands = definitions.versionOf(definition.id);
      if (stands !== version) throw new FhirError('stale', { text: changedText(stands) });
      const others = definitions.list().filter(({ id }) => id !== definition.id);
      refuseMany(others, definition);
      definitions.put(definition, who);
      return (await list()).find(({ id }) => id === definition.id);
    },

    /** Whether there was one; what it found goes with it. */
    remove: (id: string): boolean => definitions.remove(id),

    /**
     * What a check comes to for many records, or for one text; nothing is kept.
     *
     * @throws FhirError `value` where an expression cannot be parsed.
     */
    async try({ record, ...question }: CheckTrial): Promise<TrialResult> {
      await refuseFaults(question);
      return trialOf({ store: store.checks, runner: beside, question, text: record });
    },

    /** What the checks that are switched on find in texts of records of a type; what cannot be asked finds nothing. */
    findings: (type: ResourceType, texts: readonly string[]) => findingsIn(beside, on(), type, texts),

    /** Changes whenever the checks that are switched on ask something else. */
    stamp: (): string => [...kept().keys()].join(),

    /** Records for which a check could not be asked; undefined where there is no such check. */
    async skipped(
      id: string,
    ): Promise<{ readonly type: StewardCheck['type']; readonly ids: string[] } | undefined> {
      const check = definitions.list().find((one) => one.id === id);
      return check && { type: check.type, ids: [...(await store.checks.skipped(id, mostSkipped))] };
    },

    /** Records by type of which profiles leave something undecided; undefined where nothing is judged by them. */
    undecidedByType: async (): Promise<Readonly<Record<ResourceType, number>> | undefined> => {
      const all = await profileProgress(store);
      return all.length === 0
        ? undefined
        : perType((type) => all.find((one) => one.type === type)?.undecided ?? 0);
    },

    /** Ids of records of which profiles leave something undecided, some of them. */
    undecided: (slot: string): Promise<readonly string[]> => store.checks.skipped(slot, mostSkipped),

    /** Has all records asked anew. */
    async askAgain(): Promise<void> {
      await store.checks.renew();
      background.wake();
    },

    async close(): Promise<void> {
      await Promise.all([runner.close(), beside.close()]);
      await background.close();
    },
  };
}

const none = { violated: 0, findings: 0 };

function changedText(stands: number): string {
  return stands === 0
    ? 'The check was removed meanwhile; save it as a new one.'
    : 'Somebody changed the check meanwhile, or there is one with this id; read it again.';
}

/** @throws FhirError `business-rule` where there are as many as there may be. */
function refuseMany(others: readonly HeldCheck[], { active }: CheckDefinition): void {
  if (others.length >= checkLimits.checks) {
    throw new FhirError('business-rule', {
      text: `There are ${checkLimits.checks} checks; remove one first.`,
    });
  }
  if (active && others.filter((one) => one.active).length >= checkLimits.on) {
    throw new FhirError('business-rule', {
      text: `${checkLimits.on} checks are switched on; switch one off first.`,
    });
  }
}
