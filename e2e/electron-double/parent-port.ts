// Runs in the double's utility process before its file: provides Electron's `process.parentPort`. As in
// Electron, the process does not outlive the application.
process.on('disconnect', () => process.exit());
Object.assign(process, {
  parentPort: {
    on(event: string, listener: (message: { data: unknown }) => void) {
      if (event === 'message') process.on('message', (data) => listener({ data }));
    },
    postMessage(message: unknown) {
      if (process.connected) process.send?.(message);
    },
  },
});
