/** The state of a server export, as its folder keeps it: `exports/<id>` below the data folder, with its files beside. */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { authorshipMembers } from '../../core/app/authorship.ts';
import { NewServerExport, ServerExport } from '../../core/app/server-exports.ts';
import { SentParameters } from '../../core/app/coded-message.ts';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import { replacePrivateFile } from '../access/private-file.ts';

const ListedFile = v.object({
  list: v.picklist(['output', 'error', 'deleted']),
  url: v.string(),
  /** Its name in the folder and in the report. */
  name: v.string(),
  /** Count of its resources, if the manifest says it. */
  count: v.exactOptional(v.number()),
  state: v.picklist(['open', 'read', 'failed']),
  /** Reason of a failed file. */
  fault: v.exactOptional(
    v.object({ messageCode: v.string(), parameters: v.exactOptional(SentParameters), text: v.string() }),
  ),
});
export type ListedFile = Shape<typeof ListedFile>;

/** The members that the page gets as they are. */
const PublicMembers = v.omit(ServerExport, ['files']);

const ExportJob = v.object({
  ...PublicMembers.entries,
  ...authorshipMembers,
  request: NewServerExport,
  /** Base URL of the connection when it started. */
  baseUrl: v.string(),
  /** Address of the export at the other server. */
  statusUrl: v.exactOptional(v.string()),
  requiresToken: v.exactOptional(v.boolean()),
  files: v.array(ListedFile),
  /** Other servers that the user allowed. */
  allowed: v.array(v.object({ origin: v.string(), sendsToken: v.boolean() })),
});
export type ExportJob = Shape<typeof ExportJob>;

/** As the page gets it. */
export function toServerExport(job: ExportJob): ServerExportView {
  const total = job.files.length;
  const read = job.files.filter(({ state }) => state !== 'open').length;
  return { ...v.parse(PublicMembers, job), ...(total > 0 && { files: { total, read } }) };
}
type ServerExportView = Shape<typeof ServerExport>;

const LastingMembers = v.omit(ExportJob, ['until', 'fault', 'servers']);

/** Returns the job after a change. What it says about a pause, a failure or a question ends with the change. */
export function changeJob(job: ExportJob, change: Partial<ExportJob>): ExportJob {
  return { ...v.parse(LastingMembers, job), ...change };
}

const jobFile = 'job.json';

/** Folders of the server exports of a data folder. */
export function createExportFolders(dataDir: string) {
  const root = join(dataDir, 'exports');
  const folderOf = (id: string) => join(root, id);
  return {
    /** Returns the path of a file of an export. */
    pathOf: (id: string, name: string): string => join(folderOf(id), name),

    async save(job: ExportJob): Promise<void> {
      await mkdir(folderOf(job.id), { recursive: true, mode: 0o700 });
      await replacePrivateFile(join(folderOf(job.id), jobFile), JSON.stringify(job));
    },

    /** Returns the saved exports. A folder without a readable state is left as it is. */
    async load(): Promise<ExportJob[]> {
      const ids = await readdir(root).catch((): string[] => []);
      const jobs = await Promise.all(
        ids.map(async (id) => {
          const text = await readFile(join(folderOf(id), jobFile), 'utf8').catch(() => '');
          const job = parseAs(ExportJob, text);
          return job?.id === id ? job : [];
        }),
      );
      return jobs.flat();
    },

    /** Removes the files that were read. */
    async removeFiles({ id, files }: Pick<ExportJob, 'id' | 'files'>): Promise<void> {
      for (const { name } of files) await rm(join(folderOf(id), name), { force: true });
    },

    remove: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),
  };
}
export type ExportFolders = ReturnType<typeof createExportFolders>;
