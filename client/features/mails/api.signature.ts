import { mailSignatureRoutes } from '@matterdesk/contract/mails.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';
import { withSignature, type MailContent } from './rules.draft.ts';

export type Signature = { text: string; sign: (written: MailContent) => MailContent };

/** Reads the user's signature; what is signed later has it as it is then. @throws CallError */
export async function openSignature(): Promise<Signature> {
  const { signature } = await readQuietly(mailSignatureRoutes.readSignature);
  const own = { text: signature, sign: (written: MailContent) => withSignature(written, own.text) };
  return own;
}

export const changeSignature = mutation(
  mailSignatureRoutes.changeSignature,
  'Couldn’t save the signature',
);
