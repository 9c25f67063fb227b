/**
 * Validates records against profiles: stored ones for the check job, and a submitted one. Called by the
 * checks and by `$validate`. Invariants: an undecided rule is neither passed nor broken. Without a package
 * and a selected profile nothing is validated and no worker runs.
 */
import { createHash } from 'node:crypto';
import { isProfileSlot, profileSlot, type ChosenProfiles } from '../../core/app/profiles.ts';
import { issueRows } from '../../core/derive/derive.ts';
import { profilesFingerprint } from '../../core/derive/derivations.ts';
import type { ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import type { CheckBatch, CheckResult, StoredCheck } from '../store/check-store.ts';
import type { ProfileAnswer } from './profile-messages.ts';
import { createProfileRunner, type ProfileLimits } from './profile-runner.ts';

export interface ConformanceSource {
  /** Definitions that are available now. */
  set(): ConformanceSet;
  onChange(listener: () => void): void;
}

/** Reads resources that records refer to. */
export interface ReferenceSource {
  /** Returns the text of the target of a literal reference. */
  resolve(reference: string): Promise<string | undefined>;
  /** Returns a value that changes when a reference may have another target. */
  stamp(): Promise<string>;
}

export interface ProfileAsked {
  readonly type: ResourceType;
  readonly text: string;
  readonly isRemote?: boolean;
}

export interface ProfileParts {
  readonly source: ConformanceSource;
  readonly references: ReferenceSource;
  readonly getSelectedProfiles: () => ChosenProfiles;
  readonly limits?: Partial<ProfileLimits> | undefined;
}

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({ source, references: atHand, getSelectedProfiles, limits }: ProfileParts) {
  const runner = createProfileRunner(limits);
  // A submitted record does not wait for the stored ones.
  const interactiveRunner = createProfileRunner(limits);
  /** Fingerprint of the referenced resources at the last complete validation. */
  let lastReferenceFingerprint: string | undefined;

  function listSelected(type: ResourceType): readonly string[] {
    const canonical = getSelectedProfiles()[type];
    return canonical === undefined ? [] : [canonical];
  }

  function listValidatedTypes(): readonly ResourceType[] {
    const isHeld = source.set().stamp !== '';
    return resourceTypes.filter((type) => isHeld || listSelected(type).length > 0);
  }

  /** Returns a value that changes when the records of a type must be validated again. */
  function stampOf(type: ResourceType, referenceFingerprint: string): string {
    const fingerprintParts = [
      profilesFingerprint,
      source.set().stamp,
      referenceFingerprint,
      ...listSelected(type),
    ];
    return createHash('sha256').update(JSON.stringify(fingerprintParts)).digest('hex').slice(0, 16);
  }

  return {
    onChange: (listener: () => void): void => source.onChange(listener),

    /**
     * Accepts changes of referenced resources. Returns true if the records must be validated again. Called
     * after a complete validation, so that an import of many resources validates the records once.
     */
    async takeReferred(): Promise<boolean> {
      const now = await atHand.stamp();
      const isOther = lastReferenceFingerprint !== undefined && now !== lastReferenceFingerprint;
      lastReferenceFingerprint = now;
      return isOther;
    },

    /** Returns the progress rows that the store has for profiles: one per type. */
    async slots(): Promise<readonly StoredCheck[]> {
      if (listValidatedTypes().length === 0) return [];
      const stamp = (lastReferenceFingerprint ??= await atHand.stamp());
      return listValidatedTypes().map((type) => ({
        id: profileSlot(type),
        type,
        stamp: stampOf(type, stamp),
      }));
    },

    /** Verdicts on the records of a slice, by the place of their slot in it. */
    async verdicts({ checks, records }: CheckBatch): Promise<ReadonlyMap<number, readonly CheckResult[]>> {
      const slots = [...checks.entries()].filter(([, { id, isRetired }]) => isProfileSlot(id) && !isRetired);
      const set = source.set();
      const verdicts = new Map<number, readonly CheckResult[]>();
      for (const [slotIndex, { type }] of slots) {
        const typeRecords = records.filter((record) => record.type === type);
        const questions = typeRecords.map(({ text }) => ({
          type,
          text,
          profiles: listSelected(type),
          validatesClaimed: true,
        }));
        const validations = await runner.judge(set, questions, (reference) => atHand.resolve(reference));
        const byRecord = new Map(typeRecords.map((record, index) => [record, validations[index]]));
        verdicts.set(
          slotIndex,
          records.map((record) => verdictOf(record.text, byRecord.get(record))),
        );
      }
      return verdicts;
    },

    /**
     * Validates a text against the requested or claimed profiles, and against the profile selected for its type.
     * Without profiles no worker runs. References of a record of `another` server are not resolved here.
     */
    async judge(
      { type, text, isRemote = false }: ProfileAsked,
      requestedProfiles: readonly string[],
    ): Promise<ProfileAnswer> {
      const profiles = [...new Set([...requestedProfiles, ...listSelected(type)])];
      const set = source.set();
      const noValidation = { findings: [], undecidedRules: [], missingProfiles: profiles, profileCount: 0 };
      if (set.stamp === '' || profiles.length === 0) return noValidation;
      const resolve = isRemote ? undefined : (reference: string) => atHand.resolve(reference);
      const [validation = noValidation] = await interactiveRunner.judge(
        set,
        [{ type, text, profiles, validatesClaimed: false }],
        resolve,
      );
      return validation;
    },

    async close(): Promise<void> {
      await Promise.all([runner.close(), interactiveRunner.close()]);
    },
  };
}

function verdictOf(text: string | undefined, validation: ProfileAnswer | undefined): CheckResult {
  if (!validation) return { is: 'none' };
  if (text === undefined) return { is: 'skipped' };
  const { findings, undecidedRules, missingProfiles, profileCount } = validation;
  if (profileCount === 0 && missingProfiles.length === 0) return { is: 'none' };
  const open = undecidedRules.length > 0 || missingProfiles.length > 0;
  return findings.length > 0 ? { is: 'broken', issues: issueRows(findings), open } : { is: 'holds', open };
}
