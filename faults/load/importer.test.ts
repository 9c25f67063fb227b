/** The importer of the soak, against a server that breaks off as a killed one does. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Random } from '../../server/demo/random.ts';
import { Ledger } from '../ledger.ts';
import { Importer } from './importer.ts';

let server: Server;
let ledger: Ledger;
let importer: Importer;

/** The report stops behind the first of two lines, and nothing is answered from then on. */
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

const held = (title: string) => [{ key: 'CarePlan/a/_history/1', text: `{"title":"${title}"}` }];

test('counts a record as acknowledged whose line came before the connection broke', () => {
  importer.findIn(held('Mark 1'));
  expect([...ledger.acknowledged.keys()]).toEqual(['CarePlan/a/_history/1']);
  expect(ledger.open.size).toBe(19);
});

test('names a record as lost that was told as stored and is not held', () => {
  expect(() => importer.findIn([])).toThrow('CarePlan/a/_history/1 was told as imported and is lost');
});

test('names a record that is held with the title of another line', () => {
  expect(() => importer.findIn(held('Mark 2'))).toThrow('with another text');
});
