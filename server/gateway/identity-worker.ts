/** Worker of `identifyBody`. A worker starts from its own entry file. */
import { parentPort, workerData } from 'node:worker_threads';
import { identify } from '../../core/api/identity.ts';
import type { IdentityRequest } from './identify.ts';

const { bytes, expected } = workerData as IdentityRequest;
parentPort?.postMessage(identify(new TextDecoder().decode(bytes), expected));
