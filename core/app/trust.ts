/**
 * What the page's room Trust reads beside backups, audit and tokens: damaged records (`/app/damage`), writes that were
 * lost (`/app/losses`), one-time links and sessions. What a server leaves out is read as not told.
 */
import * as v from 'valibot';
import { resourceTypes } from '../fhir/resource.ts';
import type { Shape } from '../json/shape.ts';
import { Comparison, SecondPlace } from './backups.ts';
import { WholeCopy } from './damage.ts';

/** One version of one record. */
const VersionName = v.object({ type: v.picklist(resourceTypes), id: v.string(), version: v.number() });

const DamagedRecord = v.object({
  ...VersionName.entries,
  /** Whether it is the record's newest version. */
  current: v.boolean(),
  noticed: v.string(),
  backups: v.exactOptional(v.array(WholeCopy)),
});
export type DamagedRecord = Shape<typeof DamagedRecord>;

/** The reading of all texts against their checksums; instants are UTC. */
const Scrub = v.object({
  /** When the last one ended; null before the first. */
  ended: v.nullable(v.string()),
  read: v.number(),
  found: v.number(),
  running: v.exactOptional(v.nullable(v.object({ done: v.number(), total: v.number() }))),
});
export type Scrub = Shape<typeof Scrub>;

/** `GET /app/damage`. */
export const Damage = v.object({ scrub: Scrub, records: v.array(DamagedRecord) });
export type Damage = Shape<typeof Damage>;

/** Acknowledged writes that a start found missing. */
const Loss = v.object({
  id: v.union([v.string(), v.number()]),
  noticed: v.string(),
  atLeast: v.number(),
  cause: v.exactOptional(v.string()),
  read: v.boolean(),
});
export type Loss = Shape<typeof Loss>;

/** `GET /app/losses`. */
export const LossList = v.object({ losses: v.array(Loss) });

const Session = v.object({
  id: v.string(),
  begun: v.string(),
  used: v.exactOptional(v.nullable(v.string())),
  scope: v.exactOptional(v.union([v.string(), v.array(v.string())])),
  /** Whether the request that asked came with it. */
  current: v.exactOptional(v.boolean()),
});
export type Session = Shape<typeof Session>;

/** `GET /app/sessions`. */
export const SessionList = v.object({ sessions: v.array(Session) });

/** `POST /app/sign-in-codes`: an address whose code works once. */
export const SignInLink = v.object({ link: v.string(), expires: v.string() });
export type SignInLink = Shape<typeof SignInLink>;

/** A backup of `GET /app/backups`. */
const ComparedBackup = v.object({
  name: v.string(),
  time: v.string(),
  bytes: v.number(),
  kind: v.string(),
  /** Where it lies; `first` for one that lies in both places. */
  place: v.exactOptional(v.picklist(['first', 'second'])),
  /** Whether the second place holds it. */
  copied: v.exactOptional(v.boolean()),
  compared: v.exactOptional(v.nullable(Comparison)),
});
export type ComparedBackup = Shape<typeof ComparedBackup>;

/** `GET /app/backups`, of a server that may be older. */
export const ComparedBackups = v.object({
  folder: v.string(),
  /** The folder on another disk; null where none is set, absent where the server has no such thing. */
  secondPlace: v.exactOptional(v.nullable(SecondPlace)),
  backups: v.array(ComparedBackup),
});
export type ComparedBackups = Shape<typeof ComparedBackups>;
