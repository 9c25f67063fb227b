declare const __APP_VERSION__: string | undefined;

/** Version of the program; the bundler writes it in, the sources run as `dev`. */
export const appVersion = typeof __APP_VERSION__ === 'string' ? __APP_VERSION__ : 'dev';
