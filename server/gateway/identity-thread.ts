/** The thread of `identifyBody`; its own entry, as a thread is started by a file. */
import { parentPort, workerData } from 'node:worker_threads';
import { identify } from '../../core/api/identity.ts';
import type { IdentityOrder } from './identify.ts';

const { bytes, asked } = workerData as IdentityOrder;
parentPort?.postMessage(identify(new TextDecoder().decode(bytes), asked));
