// Tried at the start: as a reader does, it loads native code from the packages.

process.env['HOME'] = '/';
await import('@napi-rs/canvas');
process.exit(0);
