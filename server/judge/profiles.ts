/**
 * What profiles say of records: of those that are stored, for the job that asks checks of them, and of one that is sent.
 * Called by the checks and by `$validate`. Invariant: what cannot be decided is neither passed nor broken; with no package
 * at hand and no profile chosen nothing is asked, and no thread runs.
 */
import { createHash } from 'node:crypto';
import { isProfileSlot, profileSlot, type ChosenProfiles } from '../../core/app/profiles.ts';
import { issueRows } from '../../core/derive/derive.ts';
import { profilesStamp } from '../../core/derive/derivations.ts';
import type { ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { CheckSlice, CheckVerdict, KeptCheck } from '../store/check-store.ts';
import type { ProfileAnswer } from './profile-messages.ts';
import { createProfileRunner, type ProfileLimits } from './profile-runner.ts';

/** Where the definitions come from. */
export interface ConformanceSource {
  /** Those at hand now. */
  set(): ConformanceSet;
  /** Called whenever they are others. */
  onChange(told: () => void): void;
}

/** What is at hand of what records refer to. */
export interface BesideSource {
  /** The text of what a literal reference leads to. */
  resolve(reference: string): Promise<string | undefined>;
  /** Changes whenever a reference may lead to something else. */
  stamp(): Promise<string>;
}

/** A record that is sent. */
export interface ProfileAsked {
  readonly type: ResourceType;
  readonly text: string;
  readonly another?: boolean;
}

export interface ProfileParts {
  readonly source: ConformanceSource;
  readonly beside: BesideSource;
  readonly chosen: () => ChosenProfiles;
  readonly limits?: Partial<ProfileLimits> | undefined;
}

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({ source, beside: atHand, chosen, limits }: ProfileParts) {
  const runner = createProfileRunner(limits);
  // Who sends a record does not wait for those that are stored.
  const beside = createProfileRunner(limits);
  /** Of what records refer to, when all were judged last. */
  let referred: string | undefined;

  function chosenFor(type: ResourceType): readonly string[] {
    const canonical = chosen()[type];
    return canonical === undefined ? [] : [canonical];
  }

  /** The types whose records are judged. */
  function judged(): readonly ResourceType[] {
    const isHeld = source.set().stamp !== '';
    return resourceTypes.filter((type) => isHeld || chosenFor(type).length > 0);
  }

  /** Changes whenever the records of a type have to be judged anew. */
  function stampOf(type: ResourceType, beside: string): string {
    const said = [profilesStamp, source.set().stamp, beside, ...chosenFor(type)];
    return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  }

  return {
    onChange: (told: () => void): void => source.onChange(told),

    /**
     * Takes what came beside the records since: whether they have to be judged anew. Asked once all are judged, so that an
     * import of many has them judged once.
     */
    async takeReferred(): Promise<boolean> {
      const now = await atHand.stamp();
      const isOther = referred !== undefined && now !== referred;
      referred = now;
      return isOther;
    },

    /** What the store keeps of how far the records were judged: a slot for each type. */
    async slots(): Promise<readonly KeptCheck[]> {
      if (judged().length === 0) return [];
      const stamp = (referred ??= await atHand.stamp());
      return judged().map((type) => ({ id: profileSlot(type), type, stamp: stampOf(type, stamp) }));
    },

    /** Whether records of any type are judged. */
    isOn: (): boolean => judged().length > 0,

    /** Verdicts on the records of a slice, by the place of their slot in it. */
    async verdicts({ checks, records }: CheckSlice): Promise<ReadonlyMap<number, readonly CheckVerdict[]>> {
      const slots = [...checks.entries()].filter(([, { id, retired }]) => isProfileSlot(id) && !retired);
      const set = source.set();
      const verdicts = new Map<number, readonly CheckVerdict[]>();
      for (const [at, { type }] of slots) {
        const own = records.filter((record) => record.type === type);
        const questions = own.map(({ text }) => ({ type, text, profiles: chosenFor(type), claimed: true }));
        const answers = await runner.judge(set, questions, (reference) => atHand.resolve(reference));
        const byRecord = new Map(own.map((record, index) => [record, answers[index]]));
        verdicts.set(
          at,
          records.map((record) => verdictOf(record.text, byRecord.get(record))),
        );
      }
      return verdicts;
    },

    /**
     * What profiles say of a text: those that are asked for or claimed, and the one that is chosen for its type. Where there
     * are none, no thread is asked. What a record of `another` server refers to is not looked for here.
     */
    async judge(
      { type, text, another = false }: ProfileAsked,
      asked: readonly string[],
    ): Promise<ProfileAnswer> {
      const profiles = [...new Set([...asked, ...chosenFor(type)])];
      const set = source.set();
      const nothing = { findings: [], undecided: [], absent: profiles, judgedBy: 0 };
      if (set.stamp === '' || profiles.length === 0) return nothing;
      const resolve = another ? undefined : (reference: string) => atHand.resolve(reference);
      const [answer = nothing] = await beside.judge(set, [{ type, text, profiles, claimed: false }], resolve);
      return answer;
    },

    async close(): Promise<void> {
      await Promise.all([runner.close(), beside.close()]);
    },
  };
}

function verdictOf(text: string | undefined, answer: ProfileAnswer | undefined): CheckVerdict {
  if (!answer) return { is: 'none' };
  if (text === undefined) return { is: 'skipped' };
  const { findings, undecided, absent, judgedBy } = answer;
  if (judgedBy === 0 && absent.length === 0) return { is: 'none' };
  const open = undecided.length > 0 || absent.length > 0;
  return findings.length > 0 ? { is: 'broken', issues: issueRows(findings), open } : { is: 'holds', open };
}
