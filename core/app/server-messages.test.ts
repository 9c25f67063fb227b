import { expect, it } from 'vitest';
import { matchesSchema } from '../json/shape.ts';
import { ServerOrder, ShellRequest, StartReport } from './server-messages.ts';

const start = { type: 'start', dataDir: '/d', port: 0, token: 't', secrets: 'system' };

const isReport = (message: unknown) =>
  matchesSchema(StartReport, message) || matchesSchema(ShellRequest, message);

it.each([
  start,
  { type: 'stop' },
  { type: 'sign-out' },
  { type: 'secret', ask: 1, done: true },
  { type: 'proxy', ask: 1 },
  { type: 'proxy', ask: 1, pac: 'DIRECT' },
])('accepts the order %j', (order) => {
  expect(matchesSchema(ServerOrder, order)).toBe(true);
});

it.each([
  undefined,
  null,
  'stop',
  {},
  { ...start, port: '0' },
  { ...start, token: undefined },
  { ...start, secrets: 'paper' },
  { type: 'secret', ask: '1', done: true },
  { type: 'secret', ask: 1 },
  { type: 'proxy', ask: 1, pac: null },
  { type: 'other' },
])('rejects the order %j', (order) => {
  expect(matchesSchema(ServerOrder, order)).toBe(false);
});

it.each([
  { type: 'ready', origin: 'http://127.0.0.1:1' },
  { type: 'failed', message: 'No.' },
  { type: 'secret', ask: 1, id: 'a', act: 'get' },
  { type: 'secret', ask: 1, id: 'a', act: 'delete' },
  { type: 'secret', ask: 1, id: 'a', act: 'set', secret: 's' },
  { type: 'proxy', ask: 1, origin: 'https://a.example' },
])('accepts the report %j', (report) => {
  expect(isReport(report)).toBe(true);
});

it.each([
  undefined,
  { type: 'ready' },
  { type: 'failed', message: 1 },
  { type: 'secret', ask: 1, id: 'a', act: 'set' },
  { type: 'secret', ask: 1, id: 'a', act: 'list' },
  { type: 'secret', ask: 1, act: 'get' },
  { type: 'proxy', ask: 1 },
])('rejects the report %j', (report) => {
  expect(isReport(report)).toBe(false);
});
