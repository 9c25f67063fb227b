import { safeStorage } from 'electron';
import type { Log } from './log.ts';

export interface Decrypted {
  readonly text: string;
  /** Whether the system has another key by now: the text is to be encrypted anew. */
  readonly isStale: boolean;
}

/** Encrypts for the user's account on this machine. */
export interface Cipher {
  encrypt(text: string): Promise<Buffer>;
  /** Rejects where the text was encrypted elsewhere, or the keychain is closed. */
  decrypt(bytes: Buffer): Promise<Decrypted>;
}

/** Linux: the backends that a key ring stands behind. `basic_text` encrypts with a key that everyone knows. */
const KEY_RINGS: readonly string[] = ['gnome_libsecret', 'kwallet', 'kwallet5', 'kwallet6'];

async function hasKeychain(): Promise<boolean> {
  if (process.platform === 'linux' && !KEY_RINGS.includes(safeStorage.getSelectedStorageBackend()))
    return false;
  return safeStorage.isAsyncEncryptionAvailable();
}

/** Returns the system's cipher, or undefined where no real keychain stands behind it; call it when the app is ready. */
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
