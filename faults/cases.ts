import { badFiles } from './cases/bad-files.ts';
import { bitFlips } from './cases/bit-flips.ts';
import { damagedRecord } from './cases/damaged-record.ts';
import { backupNamesDamage, backupRotten, fileMissing } from './cases/damaged-backups.ts';
import { bulkKilled } from './cases/bulk-killed.ts';
import { diskFull } from './cases/disk-full.ts';
import { finderKilled } from './cases/finder-killed.ts';
import { firstStart } from './cases/first-start.ts';
import { erased } from './cases/erased.ts';
import { fullDiskRestarted } from './cases/full-disk-restarted.ts';
import { failingSync } from './cases/fsync.ts';
import { hostileBodies } from './cases/hostile-bodies.ts';
import { importLatency } from './cases/import-latency.ts';
import { judgingKilled } from './cases/judging-killed.ts';
import { kill } from './cases/kill.ts';
import { loadClock } from './cases/load-clock.ts';
import { loadFourWriters } from './cases/load-four-writers.ts';
import { loadMixed } from './cases/load-mixed.ts';
import { loadSlowClients } from './cases/load-slow-clients.ts';
import { lyingRemote } from './cases/lying-remote.ts';
import { logDamage } from './cases/log-damage.ts';
import { migration } from './cases/migration.ts';
import { nativeModule } from './cases/native-module.ts';
import { power } from './cases/power.ts';
import { primaryKilled } from './cases/primary-killed.ts';
import { rebuild } from './cases/rebuild.ts';
import { remoteJudge } from './cases/remote-judge.ts';
import { restore } from './cases/restore.ts';
import { secondStart } from './cases/second-start.ts';
import { sharedClock } from './cases/shared-clock.ts';
import { sharedDiskFull } from './cases/shared-disk-full.ts';
import { sharedKilled } from './cases/shared-killed.ts';
import { smallMemory } from './cases/small-memory.ts';
import { soak } from './cases/soak.ts';
import { strangers } from './cases/strangers.ts';
import { tokenOnDisk } from './cases/token-on-disk.ts';
import { trailTampered } from './cases/trail-tampered.ts';
import { truncations } from './cases/truncations.ts';
import { unreadAnswers } from './cases/unread-answers.ts';
import type { FaultCase } from './fault-case.ts';

/** All cases in the order of runs and reports. The longest come first, so that others run in parallel. */
export const cases: readonly FaultCase[] = [
  loadMixed,
  soak,
  kill,
  power,
  firstStart,
  failingSync,
  diskFull,
  fullDiskRestarted,
  erased,
  badFiles,
  truncations,
  bitFlips,
  damagedRecord,
  logDamage,
  trailTampered,
  migration,
  rebuild,
  judgingKilled,
  bulkKilled,
  finderKilled,
  remoteJudge,
  restore,
  backupRotten,
  backupNamesDamage,
  fileMissing,
  tokenOnDisk,
  nativeModule,
  secondStart,
  strangers,
  lyingRemote,
  loadSlowClients,
  hostileBodies,
  smallMemory,
  unreadAnswers,
  loadFourWriters,
  loadClock,
  importLatency,
  primaryKilled,
  sharedKilled,
  sharedDiskFull,
  sharedClock,
];
