/** Characters of what a connection holds, how many there may be, and seconds of its time limit. */
export const connectionLimits = {
  name: 60,
  text: 500,
  secret: 20_000,
  connections: 50,
  timeout: { least: 1, most: 300, initial: 30 },
} as const;
