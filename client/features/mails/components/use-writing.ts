import { useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { readAttachment, readMail, uploadAttachment } from '../api.ts';
import { answerTo, draftAsWritten, type AnswerKind, type Attached } from '../rules.writing.ts';
import type { MailAttachment, MailDetail } from '@matterdesk/contract/mails.ts';
import type { Composer } from './use-composer.ts';
import { FAILED } from './use-mail.ts';

const FORMATTED =
  'This draft has formatting from another app. Editing it here makes it plain text.';

/** The ways to start writing: compose, answer, or open a draft. */
export function useWriting(composer: Composer) {
  const current = useAppSelector(({ user }) => user.current);
  const [opening, setOpening] = useState<string | null>(null);
  const compose = () => {
    if (!composer.composing) void composer.open({});
    else if (composer.composing.isSmall) composer.minimize(false);
    else document.querySelector<HTMLElement>('[data-compose] input')?.focus();
  };
  const answer = (mail: MailDetail, kind: AnswerKind) => {
    const own = [current?.email, current?.googleEmail].filter((email) => email != null);
    const { proposedCase } = mail;
    void composer.open({
      written: answerTo(mail, kind, own),
      matter: proposedCase && { id: proposedCase.id, label: proposedCase.caseName },
    });
  };
  const openDraft = async (id: string) => {
    setOpening(id);
    try {
      const { mail } = await readMail(id);
      if (mail.html !== null) toast.plain(FORMATTED);
      const attachments = await Promise.all(mail.attachments.map(uploadAgain));
      await composer.open({
        written: { ...draftAsWritten(mail), attachments },
        draftId: mail.draftId,
      });
    } catch {
      toast.error(FAILED);
    }
    setOpening(null);
  };
  return { opening, compose, answer, openDraft };
}

/** Each save replaces the whole draft, so its attachments are uploaded again. */
async function uploadAgain({ url, name, mimeType }: MailAttachment): Promise<Attached> {
  const blob = await readAttachment(url);
  const file = new File([blob], name || 'attachment', { type: mimeType });
  return uploadAttachment(file, () => undefined).done;
}
