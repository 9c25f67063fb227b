/**
 * Password in `~/.pgpass` (PostgreSQL, "The Password File"); undefined if no line fits, or others may read the file.
 */
declare module 'pgpass' {
  export default function pgpass(
    place: { host: string; port: number; database: string; user: string },
    told: (password: string | undefined) => void,
  ): void;
}
