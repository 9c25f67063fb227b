/**
 * Custom checks: stored as written, tried before activation, and run on every record in the background,
 * later on changed records only. Called by the routes under `/app/checks`. Invariant: findings are derived
 * from the records and can be rebuilt; no check blocks a request.
 */
import {
  checkLimits,
  checkOfRule,
  pickExpressions,
  ruleOfCheck,
  type CheckDefinition,
  type CheckExpressions,
  type CheckTrial,
  type CustomCheck,
  type TrialResult,
} from '../../core/app/checks.ts';
import { profileCheck, profileSlot, type ProfileProgress } from '../../core/app/profiles.ts';
import type { CheckCount } from '../../core/app/measures.ts';
import { dayNumber } from '../../core/types/definition/dates.ts';
import { dayOf } from '../../core/derive/derive.ts';
import { perType, resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { StoredCheck } from '../store/check-store.ts';
import type { AppliedCheck } from '../fhir/measuring.ts';
import type { SharedStore } from '../store/store.ts';
import type { CheckDefinitions, StoredCheckRow } from '../workspace/checks.ts';
import { createBackground, type BackgroundGiven } from '../background/background.ts';
import { createCheckRunner, type RunnerLimits } from './check-runner.ts';
import { trialOf } from './check-trial.ts';
import { findCheckFindings, computeFingerprint, runChecks } from './check-results.ts';
import type { Profiles } from './profiles.ts';
import { isProfileRule, profileFolder } from '../../core/fhir/profiles/profile-rules.ts';

const messages = defineMessages('check', {
  deleted: 'The check was deleted in the meantime. Save it as a new one.',
  changed: 'Someone else changed this check, or its ID is taken. Reload it.',
  many: 'There are already {most} checks. Delete one first.',
  manyOn: '{most} checks are already on. Turn one off first.',
});

export interface CheckDependencies extends BackgroundGiven {
  readonly store: Pick<SharedStore, 'checks' | 'derived' | 'leases' | 'startBulk' | 'issueCounts'>;
  readonly definitions: CheckDefinitions;
  readonly clock: () => number;
  /** Profiles, stored and counted like checks. */
  readonly profiles: Profiles;
  /** Reads changes of other servers; absent if there are none. */
  readonly refresh?: (() => Promise<unknown>) | undefined;
  /** Called when every check has finished for the first time, and on each day with different findings. */
  readonly onSettled?: () => Promise<void>;
  readonly limits?: Partial<RunnerLimits> | undefined;
}

export type Checks = ReturnType<typeof createChecks>;

/** Milliseconds in which writes are gathered. */
const gathering = 200;

/** Maximum number of listed records on which a check could not run. */
const maxSkippedRecords = 100;

export function createChecks({
  definitions,
  profiles,
  refresh,
  onSettled,
  limits,
  ...parts
}: CheckDependencies) {
  const { store, clock, onProgress } = parts;
  const runner = createCheckRunner(limits);
  // Saving a check must not wait for the records.
  const interactiveRunner = createCheckRunner(limits);
  let day: string | undefined;
  /** Fingerprints of the checks that had finished at the last measurement. */
  let lastSettledChecks = '';
  /** False if the last batch found neither an active check nor a profile. A write then wakes nothing. */
  let hasChecks = true;

  const listActive = () => definitions.list().filter(({ active }) => active);

  /** Returns the checks to run today, by fingerprint. */
  function listStoredChecks(): ReadonlyMap<string, StoredCheck & { readonly check: StoredCheckRow }> {
    const today = dayOf(clock());
    return new Map(
      listActive().map((check) => {
        const stamp = computeFingerprint(check, today);
        return [stamp, { id: check.id, type: check.type, stamp, check }];
      }),
    );
  }

  async function step(): Promise<boolean> {
    // Otherwise a check that another server activated a moment ago would count as inactive.
    await refresh?.();
    const slots = await profiles.slots();
    const now = listStoredChecks();
    hasChecks = slots.length > 0 || now.size > 0;
    day = dayOf(clock());
    const customChecks = [...now.values()].map(({ id, type, stamp }) => ({ id, type, stamp }));
    await store.checks.settle([...slots, ...customChecks]);
    const slice = await store.checks.next();
    if (!slice) {
      if (slots.length > 0 && (await profiles.takeReferred())) return true;
      const fingerprints = [...slots.map(({ stamp }) => stamp), ...now.keys()].join();
      if (fingerprints !== lastSettledChecks) await onSettled?.();
      lastSettledChecks = fingerprints;
      return false;
    }
    const batchChecks = slice.checks.map(({ stamp }) => now.get(stamp)?.check);
    const { results: verdicts, haltedIds: haltedChecks } = await runChecks(runner, slice, batchChecks);
    const byProfile = await profiles.verdicts(slice);
    const results = verdicts.map((row, rowIndex) =>
      row.map((result, column) => byProfile.get(column)?.[rowIndex] ?? result),
    );
    await store.checks.write(slice, results, haltedChecks, dayNumber(clock()));
    return true;
  }

  const background = createBackground({
    ...parts,
    leased: ['checks'],
    step,
    isDue: () => store.leases.shared || day !== dayOf(clock()),
    failureMessage: 'checks were not asked',
  });
  /** Starts the work. Checks or profiles may have changed. */
  function wake(): void {
    hasChecks = true;
    background.wake();
  }

  store.derived.onOpened(wake);
  definitions.onChange(() => {
    wake();
    onProgress?.();
  });
  profiles.onChange(wake);

  async function counts(): Promise<ReadonlyMap<string, Pick<CheckCount, 'violated' | 'findings'>>> {
    const { counts: ruleCounts } = await store.issueCounts({});
    return new Map(
      ruleCounts.flatMap(({ rule, records: violatedRecords, findings }) => {
        const id = checkOfRule(rule);
        return id === undefined ? [] : [[id, { violated: violatedRecords, findings }] as const];
      }),
    );
  }

  async function list(): Promise<CustomCheck[]> {
    const storedChecks = definitions.list();
    if (storedChecks.length === 0) return [];
    const [progress, findingCounts] = await Promise.all([store.checks.progress(), counts()]);
    const byId = new Map(progress.map(({ id, ...progressRow }) => [id, progressRow]));
    return storedChecks
      .map((check) => {
        const progressRow = check.active ? byId.get(check.id) : undefined;
        const { violated: violatedRecords, findings } = findingCounts.get(check.id) ?? noFindings;
        return {
          ...check,
          ...(progressRow && { progress: { ...progressRow, violated: violatedRecords, findings } }),
        };
      })
      .toSorted((a, b) => a.title.localeCompare(b.title));
  }

  /** @throws FhirError `value` for each expression that cannot be parsed. */
  async function refuseFaults(question: CheckExpressions): Promise<void> {
    const problems = await interactiveRunner.faults(pickExpressions(question));
    if (problems.length === 0) return;
    throw new FhirError(
      'value',
      problems.map(([expression, problem]) => ({ ...problem, expression })),
    );
  }

  return {
    ...background,
    wake,
    list,

    /**
     * Called when a record or a supporting resource was stored. Batches nearby calls, so that a write costs
     * nothing.
     */
    onVersionStored(): void {
      if (hasChecks) background.wakeSoon(gathering);
    },

    /** Sentences of the rules under which checks find, for the worklist. */
    sentences: (): ReadonlyMap<string, string> =>
      new Map(definitions.list().map(({ id, title }) => [ruleOfCheck(id), title])),

    /** Returns how far the records are validated by profiles, with the counts. */
    profiles: (): Promise<ProfileProgress> => profileProgress(store),

    /**
     * Returns for the daily measures how many records the active checks apply to, with the results of
     * profiles.
     */
    async applied(): Promise<AppliedCheck[]> {
      const byProfile = (await profileProgress(store)).map(
        ({ type, applied, violated: violatedRecords, findings, undecided: undecidedRecords }) => ({
          check: profileCheck,
          type,
          applied,
          violated: violatedRecords,
          findings,
          skipped: undecidedRecords,
        }),
      );
      const types = new Map(listActive().map(({ id, type }) => [id, type]));
      const progress = types.size === 0 ? [] : await store.checks.progress();
      const customMeasures = progress.flatMap(({ id, applied, skipped: skippedRecords }) => {
        const type = types.get(id);
        return type === undefined ? [] : [{ check: ruleOfCheck(id), type, applied, skipped: skippedRecords }];
      });
      return [...byProfile, ...customMeasures];
    },

    /**
     * Stores a check in place of the version that was read; 0 for a new one.
     *
     * @throws FhirError `value` if an expression cannot be parsed; `stale` if the current version is
     *   another one.
     */
    async put(
      definition: CheckDefinition,
      version: number,
      author: string,
    ): Promise<CustomCheck | undefined> {
      await refuseFaults(definition);
      const currentVersion = definitions.versionOf(definition.id);
      if (currentVersion !== version) throw new FhirError('stale', staleMessage(currentVersion));
      const otherChecks = definitions.list().filter(({ id }) => id !== definition.id);
      refuseMany(otherChecks, definition);
      definitions.put(definition, author);
      return (await list()).find(({ id }) => id === definition.id);
    },

    /** Returns true if the check existed. Its findings are removed as well. */
    remove: (id: string): boolean => definitions.remove(id),

    /**
     * Runs a check on many records or on one text and stores nothing.
     *
     * @throws FhirError `value` if an expression cannot be parsed.
     */
    async try({ record, ...question }: CheckTrial): Promise<TrialResult> {
      await refuseFaults(question);
      return trialOf({ store: store.checks, runner: interactiveRunner, question, text: record });
    },

    /**
     * Returns the findings of the active checks in texts of one type. A check that cannot run finds
     * nothing.
     */
    findings: (type: ResourceType, texts: readonly string[]) =>
      findCheckFindings(interactiveRunner, listActive(), type, texts),

    /** Returns a value that changes with the expressions of the active checks. */
    stamp: (): string => [...listStoredChecks().keys()].join(),

    /** Returns the records on which a check could not run; undefined if there is no such check. */
    async listSkipped(
      id: string,
    ): Promise<{ readonly type: CustomCheck['type']; readonly ids: string[] } | undefined> {
      const check = definitions.list().find((storedCheck) => storedCheck.id === id);
      return check && { type: check.type, ids: [...(await store.checks.listSkipped(id, maxSkippedRecords))] };
    },

    /** Returns by type the number of records that profiles leave undecided; undefined without profiles. */
    undecidedByType: async (): Promise<Readonly<Record<ResourceType, number>> | undefined> => {
      const progressRows = await profileProgress(store);
      return progressRows.length === 0
        ? undefined
        : perType((type) => progressRows.find((progressRow) => progressRow.type === type)?.undecided ?? 0);
    },

    /** Some ids of records with undecided profile rules. */
    undecided: (progressSlot: string): Promise<readonly string[]> =>
      store.checks.listSkipped(progressSlot, maxSkippedRecords),

    /** Schedules all records to be checked again. */
    async askAgain(): Promise<void> {
      await store.checks.renew();
      wake();
    },

    async close(): Promise<void> {
      await Promise.all([runner.close(), interactiveRunner.close()]);
      await background.close();
    },
  };
}

const noFindings = { violated: 0, findings: 0 };

function staleMessage(currentVersion: number): Message {
  return currentVersion === 0 ? messages.deleted() : messages.changed();
}

/** @throws FhirError `business-rule` if the limit of active checks is reached. */
function refuseMany(otherChecks: readonly StoredCheckRow[], { active }: CheckDefinition): void {
  if (otherChecks.length >= checkLimits.checks) {
    throw new FhirError('business-rule', messages.many({ most: checkLimits.checks }));
  }
  if (active && otherChecks.filter((otherCheck) => otherCheck.active).length >= checkLimits.on) {
    throw new FhirError('business-rule', messages.manyOn({ most: checkLimits.on }));
  }
}

/**
 * Returns how far the records of each type are validated by profiles, with the counts; empty without
 * profiles.
 */
async function profileProgress(store: Pick<SharedStore, 'checks' | 'issueCounts'>): Promise<ProfileProgress> {
  const slots = new Map((await store.checks.progress()).map((progressRow) => [progressRow.id, progressRow]));
  const types = resourceTypes.filter((type) => slots.has(profileSlot(type)));
  if (types.length === 0) return [];
  const [{ counts }, violatedCounts] = await Promise.all([
    store.issueCounts({}),
    store.checks.countFlagged(profileFolder),
  ]);
  return types.map((type) => {
    const {
      done = 0,
      total = 0,
      applied = 0,
      skipped: skippedRecords = 0,
    } = slots.get(profileSlot(type)) ?? {};
    const profileCounts = counts.filter(
      (ruleCount) => ruleCount.type === type && isProfileRule(ruleCount.rule),
    );
    const findings = profileCounts.reduce((sum, ruleCount) => sum + ruleCount.findings, 0);
    return {
      type,
      done,
      total,
      applied,
      violated: violatedCounts[type],
      findings,
      undecided: skippedRecords,
    };
  });
}
