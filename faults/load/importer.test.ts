/** Tests the importer of the soak with a server whose connection breaks like the connection of a killed server. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Random } from '../../server/demo/random.ts';
import { Ledger } from '../ledger.ts';
import { Importer } from './importer.ts';

let server: Server;
let ledger: Ledger;
let importer: Importer;

/** The report breaks after the first of two lines. All later requests fail. */
beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.destroy();
      return;
    }
    response.writeHead(200);
    response.write('{"place":1,"result":"stored","record":"CarePlan/a"}\n{"place":2,"result":"stored",');
    setImmediate(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  ledger = new Ledger();
  importer = new Importer(ledger);
  const { port } = server.address() as AddressInfo;
  await importer.send({ port, token: '' }, new Random(1, 0, 0));
});
afterEach(() => void server.close());

const createVersions = (title: string) => [{ key: 'CarePlan/a/_history/1', text: `{"title":"${title}"}` }];

test('counts a record as acknowledged if its line came before the connection broke', () => {
  importer.readFrom(createVersions('Mark 1'));
  expect([...ledger.acknowledged.keys()]).toEqual(['CarePlan/a/_history/1']);
  expect(ledger.open.size).toBe(19);
});

test('reports a record as lost if it was imported but is not stored', () => {
  expect(() => importer.readFrom([])).toThrow('CarePlan/a/_history/1 was told as imported and is lost');
});

test('reports a record that is stored with the title of another line', () => {
  expect(() => importer.readFrom(createVersions('Mark 2'))).toThrow('with another text');
});
