import { mailSignatureRoutes } from '@matterdesk/contract/mails.ts';
import { mutation } from '../../core/mutation.ts';
import { readQuietly } from '../../core/use-read.ts';
import { signed, type Written } from './rules.draft.ts';

export type Signature = { text: string; sign: (written: Written) => Written };

/** Reads the user's signature; what is signed later has it as it is then. @throws CallError */
export async function openSignature(): Promise<Signature> {
  const { signature } = await readQuietly(mailSignatureRoutes.readSignature);
  const own = { text: signature, sign: (written: Written) => signed(written, own.text) };
  return own;
}

export const changeSignature = mutation(
  mailSignatureRoutes.changeSignature,
  'Couldn’t save the signature',
);
