/** Runs the server as an Electron utility process. The shell starts and stops the server by messages. */
import { join } from 'node:path';
import {
  ServerOrder,
  type ServerReport,
  type ServerStart,
  type StoreReport,
} from '../core/app/server-messages.ts';
import { matchesSchema } from '../core/json/shape.ts';
import { auditKeyKept } from './audit-key.ts';
import { runRestore } from './commands/backup-command.ts';
import { messageSecrets, type MessageSecrets } from './gateway/message-secrets.ts';
import { systemProxy } from './gateway/system-proxy.ts';
import { formatError, logLines } from './log-lines.ts';
import { pageFolder, enlargeAnswerBlocks } from './serve.ts';
import { startServer, type RunningServer } from './start.ts';
import { listBackups } from './sqlite/backup-folder.ts';
import { isMissing } from './sqlite/missing.ts';
import { checkDriver, connect } from './sqlite/sqlite.ts';
import { generateClinic } from './demo/generate.ts';
import type { RecordService } from './fhir/service.ts';

/** Subset of Electron's `process.parentPort`. Declared here because server/ does not depend on Electron. */
interface ParentPort {
  on(event: 'message', listener: (message: { data: unknown }) => void): void;
  postMessage(message: ServerReport): void;
}

let running: RunningServer | undefined;
let secrets: MessageSecrets | undefined;

function parentPort(): ParentPort {
  const port: unknown = Reflect.get(process, 'parentPort');
  if (isParentPort(port)) return port;
  throw new Error('The worker runs under Electron only; use `serve` elsewhere.');
}

function isParentPort(port: unknown): port is ParentPort {
  return (
    typeof port === 'object' &&
    port !== null &&
    ['postMessage', 'on'].every((name) => typeof Reflect.get(port, name) === 'function')
  );
}

/** Number of backups to choose from if the records are missing. */
const maxOfferedBackups = 3;

async function start(order: ServerStart): Promise<ServerReport> {
  const { dataDir, port, token, secrets: backend, choice } = order;
  const records = join(dataDir, 'records.db');
  try {
    checkDriver();
    const log = logLines('text', (text) => process.stderr.write(text), Date.now);
    secrets = messageSecrets(backend, (question) => shell.postMessage(question));
    const auditKey = await auditKeyKept(secrets, records);
    if (choice?.kind === 'restore') await runRestore(dataDir, choice.name, auditKey);
    const startEmpty = choice?.kind === 'empty';
    running = await startServer({
      dataDir,
      port,
      token,
      pageFolder,
      log,
      secrets,
      startEmpty,
      auditKey,
      atWindow: true,
      systemProxy: proxies.choose,
    });
    return { type: 'ready', origin: running.origin };
  } catch (error) {
    const backups = listBackups(records).filter(({ kind }) => kind !== 'replaced');
    return {
      type: 'failed',
      message: error instanceof Error ? error.message : 'The server couldn’t start.',
      ...(isMissing(records) && { backups: backups.slice(0, maxOfferedBackups).map(({ name }) => name) }),
    };
  }
}

async function stop(): Promise<never> {
  await running?.close().catch((error: unknown) => process.stderr.write(`${formatError(error)}\n`));
  process.exit(0);
}

enlargeAnswerBlocks();
const shell = parentPort();
const proxies = systemProxy((question) => shell.postMessage(question));
shell.on('message', ({ data }) => {
  if (!matchesSchema(ServerOrder, data)) return;
  switch (data.type) {
    case 'start':
      void start(data).then((report) => shell.postMessage(report));
      break;
    case 'stop':
      void stop();
      break;
    case 'check':
      if (running) void checkStore(running.service).then((report) => shell.postMessage(report));
      break;
    case 'sign-out':
      running?.signOut();
      break;
    case 'secret':
      secrets?.answered(data);
      break;
    case 'proxy':
      proxies.handleAnswer(data);
      break;
  }
});

/** A decimal that would lose digits as a JavaScript number. */
const exact = '123456789.12345678901234567890';

const member = `"extension":[{"url":"https://chartkeeper.example.org/self-check","valueDecimal":${exact}}]`;

/** Stores a record, reads it back and compares every digit. Never rejects. */
async function checkStore(service: Pick<RecordService, 'create' | 'readBytes'>): Promise<StoreReport> {
  try {
    const [record] = generateClinic();
    if (!record) throw new TypeError('The demo clinic is empty.');
    const { type } = record;
    const text = record.text.replace('{', `{${member},`);
    const { version } = await service.create({ type, text, author: 'self-check' });
    const { bytes } = await service.readBytes(type, version.id);
    const isIntact = bytes.includes(member);
    const result = isIntact
      ? 'A record came back with every digit'
      : 'A record did not come back as it was stored';
    return { type: 'checked', sound: isIntact, found: `${result}: ${engine()}.` };
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return { type: 'checked', sound: false, found: `A record could not be stored: ${name}.` };
  }
}

function engine(): string {
  const database = connect(':memory:');
  const version = database.prepare<unknown[], string>('SELECT sqlite_version()').pluck().get() ?? '';
  database.close();
  return `SQLite ${version}`;
}
