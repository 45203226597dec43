// Loaded into what the launcher runs, so that it does not go on alone when the launcher is killed.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
