import { mailSignatureRoutes } from '@matterdesk/contract/mail-signature.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';

export async function readSignature(): Promise<string> {
  return (await readQuietly(mailSignatureRoutes.readSignature)).signature;
}

export const changeSignature = mutation(
  mailSignatureRoutes.changeSignature,
  'Couldn’t save the signature',
);
