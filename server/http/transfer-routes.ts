import type { Request } from 'express';
import { setImmediate } from 'node:timers/promises';
import { fhirPath } from '../../core/api/contract.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import {
  importTypes,
  lineType,
  readImportSettings,
  type ImportEnd,
  type ImportLine,
} from '../../core/app/transfer.ts';
import type { Piece } from '../../core/fhir/bundle.ts';
import { FhirError, mostIssues, toOutcome, type OperationOutcome } from '../../core/fhir/outcome.ts';
import { isResourceType, resourceTypes, typeChoice } from '../../core/fhir/resource.ts';
import { readCriteria } from '../../core/fhir/search.ts';
import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import type { RecordService } from '../fhir/service.ts';
import { ofJson, ofLines } from '../import/candidates.ts';
import { importRecords, Tally } from '../import/import-records.ts';
import { writingOf } from '../store/doer.ts';
import type { SharedStore } from '../store/store.ts';
import { doerOf } from './access.ts';
import { sendPortions } from './reply.ts';
import { pairsOf, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { headFile, writeOut } from './write-out.ts';

export interface TransferParts {
  readonly service: RecordService;
  readonly store: SharedStore;
  /** Most bytes of one record. */
  readonly maxBody: number;
  readonly base: () => string;
}

/** Import and export in streams: one record at a time is held, and a client that goes away stops the work. */
export function transferRoutes(parts: TransferParts): readonly TableRoute[] {
  return [
    { method: 'POST', path: '/app/import', audit: 'create', answer: importHandler(parts) },
    { method: 'GET', path: '/app/export', audit: 'search', answer: exportHandler(parts) },
  ];
}

/** Reads the body as it comes and reports each record while the next is read. */
function importHandler({ service, store, maxBody }: TransferParts): Answer {
  return async (request, response) => {
    const settings = readImportSettings(pairsOf(request));
    if (!settings) {
      throw new FhirError('not-accepted', {
        text: 'An import takes keepIds and dryRun (true or false) and level (off, standard or strict).',
      });
    }
    checkContentType(request.headers['content-type'], [...importTypes.lines, ...importTypes.json]);
    const read = isLines(request) ? ofLines : ofJson;
    const options = { ...settings, ...writingOf(doerOf(response)) };
    const tally = new Tally();
    // Each record that is stored has an entry of its own.
    response.locals.hasEntry = true;
    response.status(200).set('Content-Type', lineType);
    const ended = store.beginBulk();
    try {
      for await (const record of importRecords(service, read(request, maxBody), options)) {
        const { lastUpdated, ...line } = record;
        tally.add(line, lastUpdated);
        await writeOut(response, lineOf(line));
        // Other requests go first: the store works synchronously.
        await setImmediate();
      }
    } finally {
      ended();
    }
    const span = tally.span();
    const companions = tally.companions();
    response.end(lineOf({ done: tally.counts, ...(companions && { companions }), ...(span && { span }) }));
  };
}

function isLines(request: Request): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  return importTypes.lines.some((one) => one === type.trim().toLowerCase());
}

/** Largest page that is read from the store at once. */
const exportPage = 200;
const lineEnd = Buffer.from('\n');

/** `type` names one type (both where absent); all other parameters are those of a search. */
function exportHandler({ store, base }: TransferParts): Answer {
  return async (request, response) => {
    const pairs = pairsOf(request);
    const types = pairs.filter(([name]) => name === 'type').map(([, value]) => value);
    const unknown = types.find((type) => !isResourceType(type));
    if (unknown !== undefined) {
      throw new FhirError('value', { text: `type is ${typeChoice}.`, location: 'http.type' });
    }
    const query = pairs.filter(([name]) => name !== 'type');
    const wanted = (types.length === 0 ? resourceTypes : types).filter(isResourceType);
    const searches = wanted.map((type) =>
      readCriteria(type, query, { base: base() + fhirPath, now: Date.now() }),
    );
    headFile(response, lineType, 'records.ndjson');
    await sendPortions(response, linesOf(store, searches));
  };
}

/** The lines of an export, each made when its turn comes. */
async function* linesOf(store: SharedStore, searches: readonly SearchCriteria[]): AsyncGenerator<Piece> {
  const damaged: FhirError[] = [];
  for (const criteria of searches) {
    for (let next = criteria.cursor; ;) {
      const page = await store.search(
        { ...criteria, count: exportPage, ...(next && { cursor: next }) },
        exportPage,
      );
      for (const one of page.records) {
        if ('fault' in one) damaged.push(one.fault);
        else yield* [one.bytes, lineEnd];
      }
      if (!page.next) break;
      next = page.next;
    }
  }
  if (damaged.length > 0) yield lineOf(leftOut(damaged));
}

/** Names what an export does not hold: how many records in the first issue, then as many as an outcome tells. */
export function leftOut(damaged: readonly FhirError[], what = 'records'): OperationOutcome {
  const text = `${damaged.length} of the ${what} asked for cannot be exported, as their stored texts are damaged.`;
  const named = damaged.slice(0, mostIssues - 1).flatMap(({ problems }) => problems);
  return toOutcome(new FhirError('damaged', [{ text }, ...named]));
}

function lineOf(line: ImportLine | ImportEnd | OperationOutcome): string {
  return `${JSON.stringify(line)}\n`;
}
