import type { Request, Response } from 'express';
import { fhirPath } from '../../core/api/contract.ts';
import type { CompanionList, CompanionsRemoved } from '../../core/app/companions.ts';
import { lineType } from '../../core/app/transfer.ts';
import type { Companion } from '../../core/fhir/companion.ts';
import type { Piece } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { isR4Type } from '../../core/fhir/r4-names.ts';
import { addressOf } from '../store/companions.ts';
import type { SharedStore } from '../store/store.ts';
import { doerOf } from './access.ts';
import { json, sendBytes, sendPortions } from './reply.ts';
import { idOf, pairsOf, found, type Answer } from './request.ts';
import type { TableRoute } from './route-table.ts';
import { leftOut } from './transfer-routes.ts';
import { headFile } from './write-out.ts';
import { noSuchCompanion } from '../fhir/faults.ts';

/** Companions that are named before others have their turn. */
const exportPage = 200;

/** `/app/companions`: what came with records and is none, to be looked at, taken out and removed. */
export function companionRoutes(
  { companions }: Pick<SharedStore, 'companions'>,
  base: () => string,
): readonly TableRoute[] {
  const list = json(async () => ({ types: await companions.counts() }) satisfies CompanionList);
  const read: Answer = async (request, response) => {
    const type = typeIn(request);
    const companion = await companions.read({ type, id: idOf(request) });
    if (!companion) throw noSuchCompanion(type);
    send(response, companion);
  };
  const resolve: Answer = async (request, response) => {
    const [[name, reference] = ['', ''], ...others] = pairsOf(request);
    if (name !== 'reference' || reference === '' || others.length > 0)
      throw new FhirError('value', { text: 'Send one reference.', location: 'http.reference' });
    const meant = await companions.resolve(reference, base() + fhirPath);
    const companion = found(meant, 'Nothing that is kept here has this reference.');
    response.locals.audited = addressOf(companion);
    send(response, companion);
  };
  const exported: Answer = async (request, response) => {
    const pairs = pairsOf(request);
    const wanted = pairs.map(([, type]) => type);
    if (pairs.some(([name, type]) => name !== 'type' || !isR4Type(type)))
      throw new FhirError('value', { text: 'type is a resource type of FHIR R4.', location: 'http.type' });
    headFile(response, lineType, 'companions.ndjson');
    await sendPortions(response, linesOf(wanted));
  };
  async function* linesOf(wanted: readonly string[]): AsyncGenerator<Piece> {
    const damaged: FhirError[] = [];
    const types = (await companions.counts()).map(({ type }) => type);
    for (const type of types.filter((one) => wanted.length === 0 || wanted.includes(one))) {
      for (let after: string | undefined = ''; after !== undefined;) {
        const names = await companions.names(type, after, exportPage);
        for (const name of names) {
          try {
            yield `${(await companions.read(name))?.text ?? ''}\n`;
          } catch (error) {
            if (!(error instanceof FhirError)) throw error;
            damaged.push(error);
          }
        }
        after = names.at(-1)?.id;
      }
    }
    if (damaged.length > 0) yield `${JSON.stringify(leftOut(damaged, 'companions'))}\n`;
  }
  const remove = json(async (request, response) => {
    const type = request.params.type === undefined ? undefined : typeIn(request);
    const doer = doerOf(response);
    const removed = await companions.remove(type, doer);
    response.locals.hasEntry = true;
    return { removed } satisfies CompanionsRemoved;
  });
  return [
    { method: 'GET', path: '/app/companions', answer: list },
    { method: 'DELETE', path: '/app/companions', audit: 'delete', answer: remove },
    { method: 'GET', path: '/app/companions/resolve', audit: 'read', answer: resolve },
    { method: 'GET', path: '/app/companions/export', audit: 'search', answer: exported },
    { method: 'DELETE', path: '/app/companions/:type', audit: 'delete', answer: remove },
    { method: 'GET', path: '/app/companions/:type/:id', audit: 'read', answer: read },
  ];
}

/** @throws FhirError `not-found` where the address names no resource type. */
function typeIn(request: Request): string {
  const { type } = request.params;
  if (typeof type === 'string' && isR4Type(type)) return type;
  throw new FhirError('not-found', { text: 'This is no resource type of FHIR R4.' });
}

/** Its text, as it is kept. */
function send(response: Response, companion: Companion): void {
  sendBytes(response, 200, Buffer.from(companion.text), { 'Content-Location': addressOf(companion) });
}
