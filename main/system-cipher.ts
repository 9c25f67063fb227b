import { safeStorage } from 'electron';
import type { Log } from './log.ts';

export interface Decrypted {
  readonly text: string;
  /** True if the system has another key now and the text must be encrypted again. */
  readonly isStale: boolean;
}

/** Encrypts for the user's account on this machine. */
export interface Cipher {
  encrypt(text: string): Promise<Buffer>;
  /** Rejects if the text was encrypted elsewhere, or if the keychain is locked. */
  decrypt(bytes: Buffer): Promise<Decrypted>;
}

/** Backends of Linux that use a key ring. `basic_text` encrypts with a public key. */
const KEY_RINGS: readonly string[] = ['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6'];

async function hasKeychain(): Promise<boolean> {
  if (process.platform === 'linux' && !KEY_RINGS.includes(safeStorage.getSelectedStorageBackend()))
    return false;
  return safeStorage.isAsyncEncryptionAvailable();
}

/**
 * Returns the cipher of the system, or undefined without a real keychain. Must be called when the app is
 * ready.
 */
export async function systemCipher(log: Log): Promise<Cipher | undefined> {
  if (!(await hasKeychain().catch(() => false))) {
    log('secrets: no keychain, kept for the session');
    return undefined;
  }
  return {
    encrypt: (text) => safeStorage.encryptStringAsync(text),
    async decrypt(bytes) {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(bytes);
      return { text: result, isStale: shouldReEncrypt };
    },
  };
}
