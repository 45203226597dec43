import { type Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isLocalConnection } from './client.ts';

/** Bytes below which compression costs more than it saves. */
const MIN_COMPRESSIBLE_BYTES = 2000;
const COMPRESSIBLE = /^(application\/json|text\/)/;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
// Chosen for speed, and for a megabyte of memory per reply: the largest window takes eight.
const BROTLI = { params: { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: 18 } };
const GZIP = { level: 5 };

const FORMATS = {
  br: {
    pack: (bytes: Buffer) => promisify(zlib.brotliCompress)(bytes, BROTLI),
    stream: () => zlib.createBrotliCompress(BROTLI),
  },
  gzip: {
    pack: (bytes: Buffer) => promisify(zlib.gzip)(bytes, GZIP),
    stream: () => zlib.createGzip(GZIP),
  },
};
const NAMES = ['br', 'gzip'] as const;

/**
 * Compresses replies over 2 kB, and streams, for clients on other machines. Ranges, the contents of files, and replies
 * that have an encoding already are left alone.
 */
export function compressReplies(app: FastifyInstance, { trustProxy }: { trustProxy: number }) {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    if (!isCompressible(reply)) return payload;
    varyByEncoding(reply);
    // On one machine, sending the bytes is cheaper than compressing them.
    const isLocal = trustProxy === 0 && isLocalConnection(request);
    const name = isLocal ? undefined : acceptedEncoding(request);
    if (name === undefined) return payload;
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
      if (bytes.length <= MIN_COMPRESSIBLE_BYTES) return payload;
      void reply.header('content-encoding', name).removeHeader('content-length');
      return FORMATS[name].pack(bytes);
    }
    if (!isStream(payload) || request.method === 'HEAD') return payload;
    void reply.header('content-encoding', name).removeHeader('content-length');
    return compressStream(payload, FORMATS[name].stream(), reply);
  });
}

/** The accepted format that this server prefers, if any. */
export function acceptedEncoding({ headers }: FastifyRequest): keyof typeof FORMATS | undefined {
  return negotiate(headers['accept-encoding'] ?? '', [...NAMES]) ?? undefined;
}

export function varyByEncoding(reply: FastifyReply): void {
  const others = String(reply.getHeader('vary') ?? '');
  if (/accept-encoding/i.test(others)) return;
  void reply.header('vary', others ? `${others}, accept-encoding` : 'accept-encoding');
}

function isCompressible(reply: FastifyReply): boolean {
  return (
    COMPRESSIBLE.test(String(reply.getHeader('content-type'))) &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('accept-ranges')
  );
}

function isStream(payload: unknown): payload is Readable {
  return typeof (payload as Readable | null)?.pipe === 'function';
}

/** Flushes whenever the source pauses, so that each event arrives when it happens. */
function compressStream(
  source: Readable,
  zip: zlib.BrotliCompress | zlib.Gzip,
  reply: FastifyReply,
) {
  let flushing: NodeJS.Immediate | undefined;
  const flush = () => {
    flushing = undefined;
    if (!zip.destroyed) zip.flush();
  };
  // An error before the first byte becomes a reply of its own, in plain text.
  source.once('error', () => {
    if (reply.raw.headersSent) return;
    reply.removeHeader('content-encoding');
    reply.raw.removeHeader('content-encoding');
  });
  pipeline(source, zip, () => clearImmediate(flushing));
  source.on('data', () => {
    flushing ??= setImmediate(flush);
  });
  return zip;
}
