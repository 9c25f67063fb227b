/** Limits: characters of members, count of connections, and seconds of a timeout. */
export const connectionLimits = {
  name: 60,
  text: 500,
  secret: 20_000,
  connections: 50,
  timeout: { least: 1, most: 300, initial: 30 },
} as const;
