import { expect, test } from 'vitest';
import { readAddress } from './address.ts';

test('parses host, port, database, user and password', () => {
  expect(readAddress('postgres://a%20b:s%3Acret@127.0.0.1:5433/charts')).toEqual({
    host: '127.0.0.1',
    port: 5433,
    database: 'charts',
    user: 'a b',
    password: 's:cret',
  });
  expect(readAddress('postgresql://a@localhost/charts?host=/run/postgresql')).toEqual({
    host: '/run/postgresql',
    port: 5432,
    database: 'charts',
    user: 'a',
  });
});

test('verifies each of several hosts by its own name', () => {
  const { otherLocations, ...firstLocation } = readAddress(
    'postgres://a:s@db1.example,db2.example:5433,127.0.0.1/charts',
  );
  expect(firstLocation).toMatchObject({
    host: 'db1.example',
    port: 5432,
    ssl: { servername: 'db1.example' },
  });
  expect(otherLocations).toEqual([
    { host: 'db2.example', port: 5433, ssl: { servername: 'db2.example' } },
    { host: '127.0.0.1', port: 5432 },
  ]);
});

test('encrypts connections to other machines by default', () => {
  const ssl = { servername: 'db.example' };
  expect(readAddress('postgres://a@db.example/charts').ssl).toEqual(ssl);
  expect(readAddress('postgres://a@db.example/charts?sslmode=verify-full').ssl).toEqual(ssl);
  expect(readAddress('postgres://a@10.0.0.1/charts').ssl).toEqual({});
  expect(readAddress('postgres://a@localhost/charts?sslmode=verify-full').ssl).toEqual({
    servername: 'localhost',
  });
});

test.each([
  ['mysql://a@h/d', 'starts with postgres://'],
  ['postgres://h/d', 'must name a user'],
  ['postgres://a@h', 'must name a user'],
  ['postgres://a@h,/d', 'must name a user'],
  ['postgres://a@h/d?sslmode=disable', 'sslmode=verify-full'],
  ['postgres://a@h/d?sslmode=require', 'doesn’t verify the server'],
  ['postgres://a@h/d?sslmode=prefer', 'doesn’t verify the server'],
  ['postgres://a@h/d?options=-c', 'address: options.'],
])('rejects %s', (address, sentence) => {
  expect(() => readAddress(address.replace('a@', 'a:hidden@'))).toThrow(sentence);
  expect(() => readAddress(address.replace('a@', 'a:hidden@'))).not.toThrow('hidden');
});
