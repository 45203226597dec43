import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { optionalParagraphs } from './text.ts';

const SIGNATURE_MAX = 2000;

/** The text below a user's mails; empty without one. */
export const SignatureSchema = z.strictObject({
  signature: optionalParagraphs('Signature', { max: SIGNATURE_MAX }),
});

const path = '/api/v1/mails/signature';

export const mailSignatureRoutes = {
  readSignature: defineRoute({
    method: 'GET',
    path,
    summary: 'The text that the caller’s new mails and answers end with',
    access: 'signedIn',
    reply: SignatureSchema,
    message: 'OK',
  }),
  changeSignature: defineRoute({
    method: 'PUT',
    path,
    summary: 'Sets the caller’s signature; mails that are being written keep what they have',
    access: 'signedIn',
    body: SignatureSchema,
    reply: SignatureSchema,
    message: 'Signature saved',
  }),
};
