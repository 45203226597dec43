// Preloaded into child processes, so that they end when the launcher is killed.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
